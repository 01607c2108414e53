package cel

import (
	"reflect"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"

	"github.com/crdsem/crdsem/internal/base/quantity"
)

// Quantity is a CEL value of type kubernetes.Quantity. The pointer's target
// must not be changed.
//
// The functions add and sub return a pointer to a Quantity. On the right of
// `==` a server rejects pointers (LIB-044).
type Quantity struct{ *quantity.Quantity }

// ConvertToNative returns the quantity itself or its text.
func (q Quantity) ConvertToNative(target reflect.Type) (any, error) {
	return native("Quantity", q.Quantity, q.Quantity.String, target)
}

// ConvertToType returns the value or its type.
func (q Quantity) ConvertToType(target ref.Type) ref.Val {
	return conversion(q, QuantityType, target)
}

// Equal compares amounts.
func (q Quantity) Equal(other ref.Val) ref.Val {
	o, ok := other.(Quantity)
	if !ok {
		return types.MaybeNoSuchOverloadErr(other)
	}
	amount := *q.Quantity // which Compare may change
	return types.Bool(amount.Compare(*o.Quantity) == 0)
}

// Type returns kubernetes.Quantity.
func (q Quantity) Type() ref.Type { return QuantityType }

// Value returns the quantity.
func (q Quantity) Value() any { return q.Quantity }
