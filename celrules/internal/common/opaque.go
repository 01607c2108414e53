package common

import (
	"fmt"
	"reflect"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
)

const opaqueConversion = "type conversion to '%s' not supported for values preserved by " +
	"x-kubernetes-preserve-unknown-fields"

// unknownPreserved is a value without a type.
type unknownPreserved struct{ v any }

func (o *unknownPreserved) ConvertToNative(to reflect.Type) (any, error) {
	return nil, fmt.Errorf(opaqueConversion, to)
}

func (o *unknownPreserved) ConvertToType(to ref.Type) ref.Val {
	return types.NewErr(opaqueConversion, to.TypeName())
}

func (o *unknownPreserved) Equal(other ref.Val) ref.Val {
	return types.Bool(same(o.v, other.Value()))
}
func (o *unknownPreserved) Type() ref.Type { return types.UnknownType }
func (o *unknownPreserved) Value() any     { return o.v }

// same compares values without a schema: deeply, by their Go types. Nil and
// empty lists and maps are equal.
func same(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for key, value := range a {
			other, ok := b[key]
			if !ok || !same(value, other) {
				return false
			}
		}
		return true
	case []any:
		b, ok := b.([]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for i := range a {
			if !same(a[i], b[i]) {
				return false
			}
		}
		return true
	case nil, string, bool, int64, float64:
		return a == b
	}
	return reflect.DeepEqual(a, b)
}
