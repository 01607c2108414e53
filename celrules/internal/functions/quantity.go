package functions

import (
	"errors"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"k8s.io/apimachinery/pkg/api/resource"

	k8scel "github.com/crdsem/crdsem/celrules/internal/cel"
)

// quantityBindings implements LIB-040 … LIB-043.
func quantityBindings() map[string]cel.OverloadOpt {
	return map[string]cel.OverloadOpt{
		"string_to_quantity":       unary(parseQuantity),
		"is_quantity_string":       unary(isQuantity),
		"quantity_sign":            quantity1(func(q *resource.Quantity) ref.Val { return types.Int(q.Sign()) }),
		"quantity_is_greater_than": quantity2(func(a, b *resource.Quantity) ref.Val { return types.Bool(a.Cmp(*b) > 0) }),
		"quantity_is_less_than":    quantity2(func(a, b *resource.Quantity) ref.Val { return types.Bool(a.Cmp(*b) < 0) }),
		"quantity_compare_to":      quantity2(func(a, b *resource.Quantity) ref.Val { return types.Int(a.Cmp(*b)) }),
		"quantity_get_float":       quantity1(func(q *resource.Quantity) ref.Val { return types.Double(q.AsApproximateFloat64()) }),
		"quantity_get_int":         quantity1(quantityInteger),
		"quantity_is_integer":      quantity1(quantityIsInteger),
		"quantity_add":             quantity2(add),
		"quantity_add_int":         quantityInt(add),
		"quantity_sub":             quantity2(sub),
		"quantity_sub_int":         quantityInt(sub),
	}
}

// quantity1 implements an overload of one quantity, whether parsed or computed.
func quantity1(f func(*resource.Quantity) ref.Val) cel.OverloadOpt {
	return cel.UnaryBinding(func(arg ref.Val) ref.Val {
		q, ok := arg.Value().(*resource.Quantity)
		if !ok {
			return types.MaybeNoSuchOverloadErr(arg)
		}
		return f(q)
	})
}

// quantity2 implements an overload of two quantities.
func quantity2(f func(a, b *resource.Quantity) ref.Val) cel.OverloadOpt {
	return cel.BinaryBinding(func(first, second ref.Val) ref.Val {
		a, ok := first.Value().(*resource.Quantity)
		b, also := second.Value().(*resource.Quantity)
		if !ok || !also {
			return types.MaybeNoSuchOverloadErr(first)
		}
		return f(a, b)
	})
}

// quantityInt implements an overload of a quantity and an int.
func quantityInt(f func(a, b *resource.Quantity) ref.Val) cel.OverloadOpt {
	return cel.BinaryBinding(func(first, second ref.Val) ref.Val {
		a, ok := first.Value().(*resource.Quantity)
		n, also := second.(types.Int)
		if !ok || !also {
			return types.MaybeNoSuchOverloadErr(first)
		}
		return f(a, resource.NewQuantity(int64(n), resource.DecimalExponent))
	})
}

func parseQuantity(text types.String) ref.Val {
	q, err := resource.ParseQuantity(string(text))
	if err != nil {
		return fails(err)
	}
	return k8scel.Quantity{Quantity: &q}
}

func isQuantity(text types.String) ref.Val {
	_, err := resource.ParseQuantity(string(text))
	return types.Bool(err == nil)
}

func quantityInteger(q *resource.Quantity) ref.Val {
	n, exact := q.AsInt64()
	if !exact {
		return fails(errors.New("cannot convert value to integer"))
	}
	return types.Int(n)
}

func quantityIsInteger(q *resource.Quantity) ref.Val {
	_, exact := q.AsInt64()
	return types.Bool(exact)
}

// add returns a pointer, as sub does: the server does not take such a value on the right of `==` (LIB-044).
func add(a, b *resource.Quantity) ref.Val {
	result := a.DeepCopy()
	result.Add(*b)
	return &k8scel.Quantity{Quantity: &result}
}

func sub(a, b *resource.Quantity) ref.Val {
	result := a.DeepCopy()
	result.Sub(*b)
	return &k8scel.Quantity{Quantity: &result}
}
