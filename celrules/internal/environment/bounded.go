package environment

import (
	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/functions"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"github.com/google/cel-go/interpreter"

	bounds "github.com/crdsem/crdsem/celrules/internal/functions"
	"github.com/crdsem/crdsem/celrules/internal/meter"
)

// Calls in cel-go have no access to the state of their evaluation. The plan
// therefore replaces them by calls that look up the evaluation under a name
// that no expression can have, and stop it before a call that would take too
// much.

// evaluationName is the name of the evaluation among its variables.
const evaluationName = "@evaluation"

// inEvaluation are the variables of an evaluation, and the evaluation itself.
type inEvaluation struct {
	cel.Activation
	of *evaluation
}

// ResolveName returns the value of a variable.
func (v *inEvaluation) ResolveName(name string) (any, bool) {
	if name == evaluationName {
		return v.of, true
	}
	return v.Activation.ResolveName(name)
}

// evaluationOf returns the evaluation of a frame. It is nil while a plan
// reduces constants.
func evaluationOf(frame *interpreter.ExecutionFrame) *evaluation {
	found, _ := frame.ResolveName(evaluationName)
	e, _ := found.(*evaluation)
	return e
}

// bounded returns the option of a plan with which calls keep within the bounds
// of an evaluation.
func (e *Env) bounded() interpreter.PlannerOption {
	return interpreter.CustomDecoratorV2(
		func(step interpreter.InterpretableV2) (interpreter.InterpretableV2, error) {
			call, ok := step.(interpreter.InterpretableCall)
			if !ok {
				return step, nil
			}
			return e.bound(call), nil
		})
}

// bound replaces a call.
func (e *Env) bound(call interpreter.InterpretableCall) interpreter.InterpretableV2 {
	bound, ok := e.Bound(call.Function(), call.OverloadID())
	if !ok || len(call.Args()) == 0 {
		return call
	}
	b := &boundedCall{InterpretableCall: call, env: e, args: call.Args(), bound: bound}
	b.checksCost = e.costs.KnownBefore(call.Function(), call.OverloadID())
	if regex, ok := call.(*bounds.ConstantRegex); ok {
		b.bound, b.early = bounds.Bound{Run: regex.Run}, true
		return b
	}
	switch call.Function() {
	case operators.Equals, operators.NotEquals:
		return &boundedComparison{InterpretableCall: call, left: b.args[0], right: b.args[1]}
	case "matches":
		if _, constant := b.args[1].(interpreter.InterpretableConst); constant {
			return call // its regular expression is compiled
		}
	}
	b.impl = e.Function(call.Function(), call.OverloadID())
	if b.impl == nil || b.impl.NonStrict {
		return call
	}
	b.early = len(b.args) > 2 || len(b.args) == 2 && b.impl.Binary == nil
	return b
}

// boundedCall is a call of a function.
type boundedCall struct {
	interpreter.InterpretableCall
	env        *Env
	args       []interpreter.InterpretableV2
	impl       *functions.Overload
	bound      bounds.Bound
	checksCost bool // the cost is checked before the call
	early      bool // an argument with an error ends the evaluation of arguments
}

// Eval implements interpreter.InterpretableV2.
func (c *boundedCall) Eval(variables interpreter.Activation) ref.Val {
	return c.Exec(interpreter.AsFrame(variables))
}

// Exec implements interpreter.InterpretableV2. It follows evalUnary, evalBinary
// and evalVarArgs of interpreter/interpretable.go.
func (c *boundedCall) Exec(frame *interpreter.ExecutionFrame) ref.Val {
	if c.bound.Reads && len(c.args) <= 2 && !c.checksCost && c.bound.Run == nil {
		return c.execReading(frame)
	}
	args := make([]ref.Val, len(c.args))
	for i, arg := range c.args {
		args[i] = arg.Exec(frame)
		if c.early && types.IsUnknownOrError(args[i]) {
			return args[i]
		}
	}
	return c.call(frame, args)
}

// execReading is Exec for a function that makes little. Its bound is not asked
// for arguments that take no time to read, which saves a list of them.
func (c *boundedCall) execReading(frame *interpreter.ExecutionFrame) ref.Val {
	a := c.args[0].Exec(frame)
	if len(c.args) == 1 {
		if c.impl.Unary == nil || !c.isCheap(a) {
			return c.call(frame, []ref.Val{a})
		}
		return types.LabelErrNode(c.ID(), c.impl.Unary(a))
	}
	if c.early && types.IsUnknownOrError(a) {
		return a
	}
	b := c.args[1].Exec(frame)
	if c.impl.Binary == nil || !c.isCheap(a) || !bounds.IsShort(b) {
		return c.call(frame, []ref.Val{a, b})
	}
	return types.LabelErrNode(c.ID(), c.impl.Binary(a, b))
}

// isCheap reports whether the first argument is short and of a type that the
// implementation takes.
func (c *boundedCall) isCheap(first ref.Val) bool {
	return bounds.IsShort(first) &&
		(c.impl.OperandTrait == 0 || first.Type().HasTrait(c.impl.OperandTrait))
}

// call calls the function, unless an argument has an error.
func (c *boundedCall) call(frame *interpreter.ExecutionFrame, args []ref.Val) ref.Val {
	for _, arg := range args {
		if types.IsUnknownOrError(arg) {
			return arg
		}
	}
	return types.LabelErrNode(c.ID(), c.run(evaluationOf(frame), args))
}

// run calls the function with values.
func (c *boundedCall) run(in *evaluation, args []ref.Val) ref.Val {
	if in != nil {
		if c.checksCost {
			in.checkCost(c.env.CallCost(c.Function(), c.OverloadID(), args, nil))
		}
		if c.bound.Before != nil {
			c.bound.Before(&in.meter, args)
		}
	}
	if c.bound.Run != nil {
		if v := c.bound.Run(in.meterOf(), args); v != nil {
			return v
		}
	}
	if c.impl.OperandTrait == 0 || args[0].Type().HasTrait(c.impl.OperandTrait) {
		switch {
		case len(args) == 1 && c.impl.Unary != nil:
			return c.impl.Unary(args[0])
		case len(args) == 2 && c.impl.Binary != nil:
			return c.impl.Binary(args[0], args[1])
		case c.impl.Function != nil:
			return c.impl.Function(args...)
		}
	}
	if args[0].Type().HasTrait(traits.ReceiverType) {
		return args[0].(traits.Receiver).Receive(c.Function(), c.OverloadID(), args[1:])
	}
	if len(args) > 2 {
		return types.NewErrWithNodeID(c.ID(), "no such overload: %s %d", c.Function(), c.ID())
	}
	return types.NewErrWithNodeID(c.ID(), "no such overload: %s", c.Function())
}

// boundedComparison is a call of == or !=.
type boundedComparison struct {
	interpreter.InterpretableCall
	left, right interpreter.InterpretableV2
}

// Eval implements interpreter.InterpretableV2.
func (c *boundedComparison) Eval(variables interpreter.Activation) ref.Val {
	return c.Exec(interpreter.AsFrame(variables))
}

// Exec implements interpreter.InterpretableV2. It follows evalEq and evalNe of
// interpreter/interpretable.go.
func (c *boundedComparison) Exec(frame *interpreter.ExecutionFrame) ref.Val {
	left, right := c.left.Exec(frame), c.right.Exec(frame)
	if types.IsUnknownOrError(left) {
		return left
	}
	if types.IsUnknownOrError(right) {
		return right
	}
	if !meter.IsScalar(left) && !meter.IsScalar(right) {
		evaluationOf(frame).meterOf().Compare(left, right)
	}
	equal := types.Equal(left, right)
	if c.Function() == operators.NotEquals {
		return types.Bool(equal != types.True)
	}
	return equal
}
