package env

import (
	"errors"
	"reflect"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"k8s.io/apimachinery/pkg/api/resource"
)

// Quantity is a CEL value of type kubernetes.Quantity. It is immutable.
type Quantity struct {
	*resource.Quantity
	// computed says that add or sub made it. On the right of `==` the server takes only quantities that are not (LIB-044).
	computed bool
}

// ConvertToNative returns the quantity itself or its text.
func (q Quantity) ConvertToNative(target reflect.Type) (any, error) {
	return native("Quantity", q.Quantity, q.Quantity.String, target)
}

// ConvertToType returns the value or its type.
func (q Quantity) ConvertToType(target ref.Type) ref.Val { return conversion(q, quantityType, target) }

// Equal compares amounts.
func (q Quantity) Equal(other ref.Val) ref.Val {
	o, ok := other.(Quantity)
	if !ok || o.computed {
		return types.MaybeNoSuchOverloadErr(other)
	}
	return types.Bool(q.Quantity.Equal(*o.Quantity))
}

// Type returns kubernetes.Quantity.
func (q Quantity) Type() ref.Type { return quantityType }

// Value returns the quantity.
func (q Quantity) Value() any { return q.Quantity }

// quantityBindings implements LIB-040 … LIB-043.
func quantityBindings() map[string]cel.OverloadOpt {
	return map[string]cel.OverloadOpt{
		"string_to_quantity":       unary(parseQuantity),
		"is_quantity_string":       unary(isQuantity),
		"quantity_sign":            unary(func(q Quantity) ref.Val { return types.Int(q.Sign()) }),
		"quantity_is_greater_than": binary(func(a, b Quantity) ref.Val { return types.Bool(a.Cmp(*b.Quantity) > 0) }),
		"quantity_is_less_than":    binary(func(a, b Quantity) ref.Val { return types.Bool(a.Cmp(*b.Quantity) < 0) }),
		"quantity_compare_to":      binary(func(a, b Quantity) ref.Val { return types.Int(a.Cmp(*b.Quantity)) }),
		"quantity_get_float":       unary(func(q Quantity) ref.Val { return types.Double(q.AsApproximateFloat64()) }),
		"quantity_get_int":         unary(quantityInteger),
		"quantity_is_integer":      unary(quantityIsInteger),
		"quantity_add":             binary(func(a, b Quantity) ref.Val { return addQuantity(a, *b.Quantity) }),
		"quantity_add_int":         binary(func(a Quantity, b types.Int) ref.Val { return addQuantity(a, quantityOf(b)) }),
		"quantity_sub":             binary(func(a, b Quantity) ref.Val { return subQuantity(a, *b.Quantity) }),
		"quantity_sub_int":         binary(func(a Quantity, b types.Int) ref.Val { return subQuantity(a, quantityOf(b)) }),
	}
}

func parseQuantity(text types.String) ref.Val {
	q, err := resource.ParseQuantity(string(text))
	if err != nil {
		return fails(err)
	}
	return Quantity{Quantity: &q}
}

func isQuantity(text types.String) ref.Val {
	_, err := resource.ParseQuantity(string(text))
	return types.Bool(err == nil)
}

// quantityOf makes a quantity of an int.
func quantityOf(n types.Int) resource.Quantity {
	return *resource.NewQuantity(int64(n), resource.DecimalExponent)
}

func quantityInteger(q Quantity) ref.Val {
	n, exact := q.AsInt64()
	if !exact {
		return fails(errors.New("cannot convert value to integer"))
	}
	return types.Int(n)
}

func quantityIsInteger(q Quantity) ref.Val {
	_, exact := q.AsInt64()
	return types.Bool(exact)
}

func addQuantity(a Quantity, b resource.Quantity) ref.Val {
	result := a.DeepCopy()
	result.Add(b)
	return Quantity{Quantity: &result, computed: true}
}

func subQuantity(a Quantity, b resource.Quantity) ref.Val {
	result := a.DeepCopy()
	result.Sub(b)
	return Quantity{Quantity: &result, computed: true}
}
