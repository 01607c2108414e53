package environment

import (
	"github.com/google/cel-go/common/functions"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/interpreter"

	k8sfunctions "github.com/crdsem/crdsem/celrules/internal/functions"
	"github.com/crdsem/crdsem/celrules/internal/meter"
)

// bounded returns the option of a plan that checks the arguments of functions
// with a bound before it calls them. Functions of cel-go have no access to the
// state of their evaluation, so the plan has calls of its own for them.
func (e *Env) bounded() interpreter.PlannerOption {
	return interpreter.CustomDecoratorV2(
		func(step interpreter.InterpretableV2) (interpreter.InterpretableV2, error) {
			if call, ok := step.(interpreter.InterpretableCall); ok {
				return e.bound(call), nil
			}
			return step, nil
		})
}

// comparisons have no implementation among the functions of an environment.
var comparisons = map[string]*functions.Overload{
	operators.Equals: {Binary: types.Equal},
	operators.NotEquals: {Binary: func(a, b ref.Val) ref.Val {
		return types.Bool(types.Equal(a, b) != types.True)
	}},
}

// bound replaces a call of a function with a bound. A regular expression that
// is constant is compiled already.
func (e *Env) bound(call interpreter.InterpretableCall) interpreter.InterpretableV2 {
	function, overload, args := call.Function(), call.OverloadID(), call.Args()
	c := &boundedCall{InterpretableCall: call, args: args, env: e}
	c.before = e.Bound(function, overload)
	c.checksCost = e.costs.KnownBefore(function, overload)
	if c.before == nil && !c.checksCost {
		return call
	}
	c.impl = e.Function(function, overload)
	if comparison, ok := comparisons[function]; ok {
		c.impl = comparison
	}
	c.compares = function == operators.In || comparisons[function] != nil
	if _, ok := args[len(args)-1].(interpreter.InterpretableConst); ok && function == "matches" {
		return call
	}
	if regex, ok := call.(*k8sfunctions.ConstantRegex); ok {
		c.impl, c.before = &functions.Overload{Function: regex.Run}, meter.Found
	}
	return c
}

// boundedCall is a call of a function with a bound.
type boundedCall struct {
	interpreter.InterpretableCall
	args       []interpreter.InterpretableV2
	impl       *functions.Overload
	env        *Env
	before     meter.Bound // nil: the cost says enough
	checksCost bool        // the cost is checked before the call
	compares   bool        // scalars need no check
}

// Eval implements interpreter.InterpretableV2.
func (c *boundedCall) Eval(variables interpreter.Activation) ref.Val {
	return c.Exec(interpreter.AsFrame(variables))
}

// Exec implements interpreter.InterpretableV2. As in cel-go, both arguments of
// a binary function are evaluated even if the first one has an error.
func (c *boundedCall) Exec(frame *interpreter.ExecutionFrame) ref.Val {
	if len(c.args) == 2 && c.impl.Binary != nil {
		return c.execBinary(frame)
	}
	args := make([]ref.Val, len(c.args))
	for i, arg := range c.args {
		if args[i] = arg.Exec(frame); types.IsUnknownOrError(args[i]) {
			return args[i]
		}
	}
	c.check(frame, args)
	if len(args) == 1 && c.impl.Unary != nil {
		return types.LabelErrNode(c.ID(), c.impl.Unary(args[0]))
	}
	return types.LabelErrNode(c.ID(), c.impl.Function(args...))
}

func (c *boundedCall) execBinary(frame *interpreter.ExecutionFrame) ref.Val {
	a, b := c.args[0].Exec(frame), c.args[1].Exec(frame)
	switch {
	case types.IsUnknownOrError(a):
		return a
	case types.IsUnknownOrError(b):
		return b
	case !c.compares || !meter.IsScalar(a) && !meter.IsScalar(b):
		c.check(frame, []ref.Val{a, b})
	}
	if trait := c.impl.OperandTrait; trait != 0 && !a.Type().HasTrait(trait) {
		return types.NewErrWithNodeID(c.ID(), "no such overload: %s", c.Function())
	}
	return types.LabelErrNode(c.ID(), c.impl.Binary(a, b))
}

// check stops the evaluation before a call that would take too much.
func (c *boundedCall) check(frame *interpreter.ExecutionFrame, args []ref.Val) {
	in := evaluationOf(frame)
	if in == nil {
		return
	}
	if c.checksCost {
		in.checkCost(c.env.CallCost(c.Function(), c.OverloadID(), args, nil))
	}
	if c.before != nil {
		c.before(&in.meter, args)
	}
}
