package fasteval

import (
	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
)

// newAnd compiles &&. The second operand is evaluated only if the first is
// true, as in cel-go. An error in one operand that the other one hides is left
// to cel-go, like every error.
func (c *compiler) newAnd(args []ast.Expr) evaluator {
	left, right := c.test(args[0], executed), c.test(args[1], executed)
	return evaluator{test: func(m *Machine) truth {
		if t := left(m); t != yes {
			return t
		}
		return right(m)
	}}
}

// newOr compiles ||. The second operand is evaluated only if the first is
// false.
func (c *compiler) newOr(args []ast.Expr) evaluator {
	left, right := c.test(args[0], executed), c.test(args[1], executed)
	return evaluator{test: func(m *Machine) truth {
		if t := left(m); t != no {
			return t
		}
		return right(m)
	}}
}

// newNot compiles !.
func (c *compiler) newNot(arg ast.Expr) evaluator {
	t := c.test(arg, executed)
	return evaluator{test: func(m *Machine) truth {
		m.cost += callCost
		switch t(m) {
		case yes:
			return no
		case no:
			return yes
		}
		return unknown
	}}
}

// newConditional compiles `condition ? then : otherwise`.
func (c *compiler) newConditional(e ast.Expr, args []ast.Expr) evaluator {
	condition := c.test(args[0], executed)
	if c.checked.GetType(e.ID()) == types.BoolType {
		then, otherwise := c.test(args[1], resolved), c.test(args[2], resolved)
		return evaluator{test: func(m *Machine) truth {
			switch condition(m) {
			case yes:
				return then(m)
			case no:
				return otherwise(m)
			}
			return unknown
		}}
	}
	then, otherwise := c.step(args[1], resolved), c.step(args[2], resolved)
	return evaluator{step: func(m *Machine) val {
		switch condition(m) {
		case yes:
			return then(m)
		case no:
			return otherwise(m)
		}
		return val{}
	}}
}

// newEquality compiles == and !=. Strings, integers and bools are compared as
// Go values, everything else as CEL values.
func (c *compiler) newEquality(e ast.Expr, args []ast.Expr) evaluator {
	left, right := c.step(args[0], executed), c.step(args[1], executed)
	env, name := c.env, e.AsCall().FunctionName()
	wantEqual, overload := name == operators.Equals, "equals"
	if !wantEqual {
		overload = "not_equals"
	}
	return evaluator{test: func(m *Machine) truth {
		l, r := left(m), right(m)
		if l.kind == r.kind {
			switch l.kind {
			case kindString:
				m.cost += scan(min(l.size(), r.size()))
				return truthOf((l.s == r.s) == wantEqual)
			case kindInt, kindBool:
				m.cost += callCost
				return truthOf((l.n == r.n) == wantEqual)
			}
		}
		a, b := m.ref(&l), m.ref(&r)
		if a == nil || b == nil {
			return unknown
		}
		m.meter.Compare(a, b)
		same := types.Equal(a, b)
		m.cost += env.CallCost(name, overload, []ref.Val{a, b}, same)
		if !wantEqual {
			return truthOf(same != types.True)
		}
		if equal, ok := same.(types.Bool); ok {
			return truthOf(bool(equal))
		}
		return unknown
	}}
}

// newOrder compiles <, <=, > and >=. Two integers or two doubles are compared
// here, all other types by cel-go's functions.
func (c *compiler) newOrder(e ast.Expr, args []ast.Expr) evaluator {
	var holds func(a, b float64) bool
	var holdsInt func(a, b int64) bool
	switch c.overload(e) {
	case "less_int64":
		holdsInt = func(a, b int64) bool { return a < b }
	case "less_equals_int64":
		holdsInt = func(a, b int64) bool { return a <= b }
	case "greater_int64":
		holdsInt = func(a, b int64) bool { return a > b }
	case "greater_equals_int64":
		holdsInt = func(a, b int64) bool { return a >= b }
	case "less_double":
		holds = func(a, b float64) bool { return a < b }
	case "less_equals_double":
		holds = func(a, b float64) bool { return a <= b }
	case "greater_double":
		holds = func(a, b float64) bool { return a > b }
	case "greater_equals_double":
		holds = func(a, b float64) bool { return a >= b }
	default:
		return c.newCall(e, args)
	}
	left, right := c.step(args[0], executed), c.step(args[1], executed)
	unordered := c.env.Profile().UnorderedNaN
	return evaluator{test: func(m *Machine) truth {
		l, r := left(m), right(m)
		m.cost += callCost
		switch {
		case holdsInt != nil && l.kind == kindInt && r.kind == kindInt:
			return truthOf(holdsInt(l.n, r.n))
		case holds != nil && l.isOrdered(unordered) && r.isOrdered(unordered):
			return truthOf(holds(l.float(), r.float()))
		}
		return unknown
	}}
}
