package fasteval

import (
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/functions"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"

	"github.com/crdsem/crdsem/celrules/internal/environment"
)

// function is what a call runs.
type function struct {
	name     string
	overload string // empty if it is chosen at run time
	run      *functions.Overload
}

// function returns what a call runs.
func (c *compiler) function(e ast.Expr) function {
	f := function{name: e.AsCall().FunctionName()}
	if reference, ok := c.checked.ReferenceMap()[e.ID()]; ok && len(reference.OverloadIDs) == 1 {
		f.overload = reference.OverloadIDs[0]
	}
	f.run = c.env.Function(f.name, f.overload)
	return f
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
			if values[i] = m.ref(&v); values[i] == nil {
				return stop
			}
		}
		return call(m, values)
	}}
}

// call returns a Go function that calls a function with CEL values and charges
// for the call.
func (c *compiler) call(e ast.Expr, args int) func(*Machine, []ref.Val) val {
	f := c.function(e)
	if f.run == nil || f.run.NonStrict {
		c.left = true
		return nil
	}
	plain := f.implementation(args)
	if plain == nil {
		c.left = true
		return nil
	}
	trait, env := f.run.OperandTrait, c.env
	run := f.bounded(env, plain)
	needsResult := env.NeedsResult(f.name, f.overload)
	return func(m *Machine, values []ref.Val) val {
		if !hasTrait(values[0], trait) {
			return stop
		}
		if !needsResult && !m.pay(env.CallCost(f.name, f.overload, values, nil)) {
			return stop
		}
		result := run(m, values)
		if types.IsUnknownOrError(result) {
			return stop
		}
		if needsResult {
			m.cost += env.CallCost(f.name, f.overload, values, result)
		}
		return ofRef(result)
	}
}

// bounded returns an implementation that keeps within the bounds of an
// evaluation. It panics where they are exceeded.
func (f function) bounded(
	env *environment.Env, run func([]ref.Val) ref.Val,
) func(*Machine, []ref.Val) ref.Val {
	bound := env.Bound(f.name, f.overload)
	return func(m *Machine, values []ref.Val) ref.Val {
		m.meter.ReadStrings(values)
		if bound != nil {
			bound(&m.meter, values)
		}
		return run(values)
	}
}

// implementation returns how cel-go calls the function with so many arguments,
// nil if it cannot. It follows planner.planCall (interpreter/planner.go).
func (f function) implementation(args int) func([]ref.Val) ref.Val {
	run := f.run
	switch {
	case args == 0:
		return nil
	case args == 1 && run.Unary != nil:
		return func(v []ref.Val) ref.Val { return run.Unary(v[0]) }
	case args == 2 && run.Binary != nil:
		return func(v []ref.Val) ref.Val { return run.Binary(v[0], v[1]) }
	case run.Function != nil:
		return func(v []ref.Val) ref.Val { return run.Function(v...) }
	}
	return nil
}

// newList compiles a list literal of which not all items are constant.
func (c *compiler) newList(e ast.Expr) evaluator {
	l := e.AsList()
	if len(l.OptionalIndices()) > 0 {
		return c.leave()
	}
	steps := make([]step, 0, l.Size())
	for _, item := range l.Elements() {
		steps = append(steps, c.step(item, executed))
	}
	return evaluator{step: func(m *Machine) val {
		items := make([]val, len(steps))
		for i, s := range steps {
			if items[i] = s(m); items[i].kind == kindStopped {
				return stop
			}
		}
		m.cost += listCost
		return val{kind: kindBuilt, x: items}
	}}
}
