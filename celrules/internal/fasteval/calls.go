package fasteval

import (
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/functions"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
)

// function is what a call runs.
type function struct {
	name, overload string
	run            *functions.Overload
}

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

// callStep compiles a call that is no test.
func (c *compiler) callStep(e ast.Expr, as mode) step {
	args := arguments(e)
	switch name := e.AsCall().FunctionName(); {
	case name == operators.Index:
		return c.attribute(e, as)
	case name == operators.Conditional:
		return c.conditional(e)
	case name == operators.OptIndex, name == operators.OptSelect, name == operators.NotStrictlyFalse, name == "or", name == "orValue":
		return c.unsupportedStep()
	case (name == "find" || name == "findAll") && len(args) > 1:
		return c.unsupportedStep() // cel-go compiles constant patterns once
	case name == "size" && len(args) == 1:
		return c.sizeOf(e, args[0])
	case name == operators.Add && len(args) == 2:
		return c.add(e, args)
	}
	return c.general(e, args)
}

// general compiles any call of a function by its implementation for CEL values.
func (c *compiler) general(e ast.Expr, args []ast.Expr) step {
	steps := make([]step, len(args))
	for i, arg := range args {
		steps[i] = c.step(arg, executed)
	}
	call := c.call(e, len(args))
	if c.unsupported {
		return nil
	}
	return func(m *machine) val {
		values := make([]ref.Val, len(steps))
		for i, s := range steps {
			v := s(m)
			if values[i] = v.ref(); values[i] == nil {
				return stop
			}
		}
		return call(m, values)
	}
}

// call returns what calls a function on CEL values and charges for it.
func (c *compiler) call(e ast.Expr, args int) func(*machine, []ref.Val) val {
	f := c.function(e)
	if f.run == nil || f.run.NonStrict {
		c.unsupported = true
		return nil
	}
	run := f.implementation(args)
	if run == nil {
		c.unsupported = true
		return nil
	}
	trait, env := f.run.OperandTrait, c.env
	return func(m *machine, values []ref.Val) val {
		if trait != 0 && !values[0].Type().HasTrait(trait) {
			return stop
		}
		result := run(values)
		if types.IsUnknownOrError(result) {
			return stop
		}
		m.cost += env.CallCost(f.name, f.overload, values, result)
		return ofRef(result)
	}
}

// implementation returns how cel-go would call the function with so many arguments, nil if it could not.
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

// sizeOf compiles size().
func (c *compiler) sizeOf(e, arg ast.Expr) step {
	s := c.step(arg, executed)
	call := c.call(e, 1)
	return func(m *machine) val {
		v := s(m)
		switch v.kind {
		case text, object, list, built:
			m.cost++
			return val{kind: whole, n: int64(v.size())}
		case stopped:
			return stop
		}
		return call(m, []ref.Val{v.ref()})
	}
}

// add compiles + for texts and numbers; everything else goes the general way.
func (c *compiler) add(e ast.Expr, args []ast.Expr) step {
	if c.function(e).overload != "add_string" {
		return c.general(e, args)
	}
	left, right := c.step(args[0], executed), c.step(args[1], executed)
	return func(m *machine) val {
		l, r := left(m), right(m)
		if l.kind != text || r.kind != text {
			return stop
		}
		m.cost += scan(l.size() + r.size())
		return val{kind: text, s: l.s + r.s}
	}
}

// conditional compiles ?: with any result.
func (c *compiler) conditional(e ast.Expr) step {
	args := e.AsCall().Args()
	if len(args) != 3 {
		return c.unsupportedStep()
	}
	condition := c.test(args[0], executed)
	then, otherwise := c.step(args[1], resolved), c.step(args[2], resolved)
	return func(m *machine) val {
		switch condition(m) {
		case yes:
			return then(m)
		case no:
			return otherwise(m)
		}
		return stop
	}
}

func (c *compiler) conditionalTest(e ast.Expr) test {
	args := e.AsCall().Args()
	if len(args) != 3 {
		return c.unsupportedTest()
	}
	condition := c.test(args[0], executed)
	then, otherwise := c.test(args[1], resolved), c.test(args[2], resolved)
	return func(m *machine) truth {
		switch condition(m) {
		case yes:
			return then(m)
		case no:
			return otherwise(m)
		}
		return unknown
	}
}

// listLiteral compiles a list of which not all items are constant.
func (c *compiler) listLiteral(e ast.Expr) step {
	l := e.AsList()
	if len(l.OptionalIndices()) > 0 {
		return c.unsupportedStep()
	}
	steps := make([]step, 0, l.Size())
	for _, item := range l.Elements() {
		steps = append(steps, c.step(item, executed))
	}
	return func(m *machine) val {
		items := make([]val, len(steps))
		for i, s := range steps {
			if items[i] = s(m); items[i].kind == stopped {
				return stop
			}
		}
		m.cost += listCost
		return val{kind: built, x: items}
	}
}

// listCost is the charge for making a list.
const listCost = 10
