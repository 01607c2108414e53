package functions

import (
	"errors"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"

	k8scel "github.com/crdsem/crdsem/celrules/internal/cel"
	"github.com/crdsem/crdsem/internal/base/quantity"
	"github.com/crdsem/crdsem/internal/belowstructural/profile"
)

// quantityBindings returns the bindings of quantities, e.g.
// `quantity(self.a).isLessThan(quantity('2Gi'))` (LIB-040 to LIB-043).
func quantityBindings(p *profile.Profile) map[string]cel.OverloadOpt {
	parse := quantity.Parse
	if p.WideIntegers {
		parse = quantity.ParseWide
	}
	return map[string]cel.OverloadOpt{
		"string_to_quantity": unary(func(text types.String) ref.Val {
			q, err := parse(string(text))
			if err != nil {
				return fails(err)
			}
			return k8scel.Quantity{Quantity: &q}
		}),
		"is_quantity_string": unary(func(text types.String) ref.Val {
			_, err := parse(string(text))
			return types.Bool(err == nil)
		}),
		"quantity_sign":            quantity1(quantitySign),
		"quantity_is_greater_than": quantity2(quantityIsGreater),
		"quantity_is_less_than":    quantity2(quantityIsLess),
		"quantity_compare_to":      quantity2(quantityCompare),
		"quantity_get_float":       quantity1(quantityFloat),
		"quantity_get_int":         quantity1(quantityInteger),
		"quantity_is_integer":      quantity1(quantityIsInteger),
		"quantity_add":             quantity2(add),
		"quantity_add_int":         quantityInt(add),
		"quantity_sub":             quantity2(sub),
		"quantity_sub_int":         quantityInt(sub),
	}
}

// quantity1 returns the binding of an overload with one quantity, which is
// parsed or computed.
func quantity1(f func(*quantity.Quantity) ref.Val) cel.OverloadOpt {
	return cel.UnaryBinding(func(arg ref.Val) ref.Val {
		q, ok := arg.Value().(*quantity.Quantity)
		if !ok {
			return types.MaybeNoSuchOverloadErr(arg)
		}
		return f(q)
	})
}

// quantity2 returns the binding of an overload with two quantities.
func quantity2(f func(a, b *quantity.Quantity) ref.Val) cel.OverloadOpt {
	return cel.BinaryBinding(func(first, second ref.Val) ref.Val {
		a, ok := first.Value().(*quantity.Quantity)
		b, also := second.Value().(*quantity.Quantity)
		if !ok || !also {
			return types.MaybeNoSuchOverloadErr(first)
		}
		return f(a, b)
	})
}

// quantityInt returns the binding of an overload with a quantity and an int.
func quantityInt(f func(a, b *quantity.Quantity) ref.Val) cel.OverloadOpt {
	return cel.BinaryBinding(func(first, second ref.Val) ref.Val {
		a, ok := first.Value().(*quantity.Quantity)
		n, also := second.(types.Int)
		if !ok || !also {
			return types.MaybeNoSuchOverloadErr(first)
		}
		return f(a, new(quantity.OfInt(int64(n))))
	})
}

// quantitySign returns -1, 0 or 1.
func quantitySign(q *quantity.Quantity) ref.Val { return types.Int(q.Sign()) }

// quantityIsGreater reports whether a is greater than b.
func quantityIsGreater(a, b *quantity.Quantity) ref.Val { return types.Bool(a.Compare(*b) > 0) }

// quantityIsLess reports whether a is less than b.
func quantityIsLess(a, b *quantity.Quantity) ref.Val { return types.Bool(a.Compare(*b) < 0) }

// quantityCompare returns -1, 0 or 1.
func quantityCompare(a, b *quantity.Quantity) ref.Val { return types.Int(a.Compare(*b)) }

// quantityFloat returns the nearest double.
func quantityFloat(q *quantity.Quantity) ref.Val { return types.Double(q.Float()) }

// quantityInteger returns the value as an int, or an error if it is not one.
func quantityInteger(q *quantity.Quantity) ref.Val {
	n, exact := q.Int()
	if !exact {
		return fails(errors.New("cannot convert value to integer"))
	}
	return types.Int(n)
}

// quantityIsInteger reports whether the value is an int.
func quantityIsInteger(q *quantity.Quantity) ref.Val {
	_, exact := q.Int()
	return types.Bool(exact)
}

// add returns a pointer, like sub. A server does not take such a value on the
// right of `==` (LIB-044).
func add(a, b *quantity.Quantity) ref.Val {
	return &k8scel.Quantity{Quantity: new(a.Add(*b))}
}

// sub returns the difference.
func sub(a, b *quantity.Quantity) ref.Val {
	return &k8scel.Quantity{Quantity: new(a.Sub(*b))}
}
