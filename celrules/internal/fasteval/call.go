package fasteval

import (
	"slices"

	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/types/ref"
)

// overload returns the overload that a call runs, empty if it is chosen at run
// time.
func (c *compiler) overload(e ast.Expr) string {
	if reference, ok := c.checked.ReferenceMap()[e.ID()]; ok && len(reference.OverloadIDs) == 1 {
		return reference.OverloadIDs[0]
	}
	return ""
}

// arguments returns the arguments of a call, the receiver first.
func arguments(e ast.Expr) []ast.Expr {
	call := e.AsCall()
	if call.IsMemberFunction() {
		return append([]ast.Expr{call.Target()}, call.Args()...)
	}
	return call.Args()
}

// newCall compiles a call of any function. It makes CEL values of the arguments
// and runs the function's implementation for cel-go.
func (c *compiler) newCall(e ast.Expr, args []ast.Expr) evaluator {
	steps := make([]step, len(args))
	for i, arg := range args {
		steps[i] = c.step(arg, executed)
	}
	call := c.call(e, len(args))
	return evaluator{step: func(m *Machine) val {
		values := make([]ref.Val, len(steps))
		for i, s := range steps {
			v := s(m)
			values[i] = m.ref(&v)
		}
		return call(m, values)
	}}
}

// call returns a Go function that calls a function with CEL values and charges
// for the call. Its result stops if an argument does.
func (c *compiler) call(e ast.Expr, args int) func(*Machine, []ref.Val) val {
	name, overload, env := e.AsCall().FunctionName(), c.overload(e), c.env
	run := env.Call(name, overload, args)
	if run == nil {
		c.left = true
		return nil
	}
	needsResult := env.NeedsResult(name, overload)
	return func(m *Machine, values []ref.Val) val {
		if slices.Contains(values, nil) {
			return val{}
		}
		if !needsResult && !m.pay(env.CallCost(name, overload, values, nil)) {
			return val{}
		}
		m.meter.ReadStrings(values)
		result := run(&m.meter, values)
		if needsResult {
			m.cost += env.CallCost(name, overload, values, result)
		}
		return ofRef(result)
	}
}

// newList compiles a list literal of which not all items are constant.
func (c *compiler) newList(e ast.Expr) evaluator {
	l := e.AsList()
	if len(l.OptionalIndices()) > 0 {
		c.left = true
		return evaluator{}
	}
	steps := make([]step, 0, l.Size())
	for _, item := range l.Elements() {
		steps = append(steps, c.step(item, executed))
	}
	return evaluator{step: func(m *Machine) val {
		items := make([]val, len(steps))
		for i, s := range steps {
			if items[i] = s(m); items[i].kind == kindStopped {
				return val{}
			}
		}
		m.cost += listCost
		return val{kind: kindBuilt, x: items}
	}}
}
