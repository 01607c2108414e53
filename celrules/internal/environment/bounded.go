package environment

import (
	"cel.dev/cel-go/common/functions"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/interpreter"

	k8sfunctions "github.com/crdsem/crdsem/celrules/internal/functions"
	"github.com/crdsem/crdsem/celrules/internal/meter"
)

// comparisons have no implementation among the functions of an environment.
var comparisons = map[string]*functions.Overload{
	operators.Equals: {Binary: types.Equal},
	operators.NotEquals: {Binary: func(a, b ref.Val) ref.Val {
		return types.Bool(types.Equal(a, b) != types.True)
	}},
}

// function returns the implementation that a call runs: of the overload with an
// id, otherwise of the function with a name, where the overload is chosen at
// run time. It returns nil if there is neither.
func (e *Env) function(name, overload string) *functions.Overload {
	if comparison, ok := comparisons[name]; ok {
		return comparison
	}
	if f, ok := e.functions.FindOverload(overload); ok && overload != "" {
		return f
	}
	f, _ := e.functions.FindOverload(name)
	return f
}

// Call runs a function. It panics if its bound is exceeded.
type Call func(*meter.Meter, []ref.Val) ref.Val

// Call returns how cel-go calls a function with so many arguments, nil if it
// cannot. It follows planner.planCall (interpreter/planner.go).
func (e *Env) Call(function, overload string, args int) Call {
	f, run := e.function(function, overload), functions.FunctionOp(nil)
	switch {
	case f == nil || f.NonStrict || args == 0:
		return nil
	case args == 1 && f.Unary != nil:
		run = func(v ...ref.Val) ref.Val { return f.Unary(v[0]) }
	case args == 2 && f.Binary != nil:
		run = func(v ...ref.Val) ref.Val { return f.Binary(v[0], v[1]) }
	case f.Function != nil:
		run = f.Function
	default:
		return nil
	}
	before, trait := meter.BoundOf(e.profile, function, overload), f.OperandTrait
	return func(m *meter.Meter, values []ref.Val) ref.Val {
		if before != nil {
			before(m, values)
		}
		if !values[0].Type().HasTrait(trait) { // every type has the trait 0, which is none
			return types.NewErr("no such overload: %s", function)
		}
		return run(values...)
	}
}

// bound replaces a call of a function with a bound, because functions of cel-go
// have no access to the state of their evaluation. A regular expression that is
// constant is compiled already.
func (e *Env) bound(step interpreter.InterpretableV2) (interpreter.InterpretableV2, error) {
	call, ok := step.(interpreter.InterpretableCall)
	if !ok {
		return step, nil
	}
	c := &boundedCall{InterpretableCall: call, args: call.Args(), env: e}
	function, overload := call.Function(), call.OverloadID()
	c.checksCost = e.costs.KnownBefore(function, overload)
	if meter.BoundOf(e.profile, function, overload) == nil && !c.checksCost {
		return call, nil
	}
	_, isConstant := c.args[len(c.args)-1].(interpreter.InterpretableConst)
	if isConstant && (function == "matches" || function == "find") {
		return call, nil
	}
	c.run = e.Call(function, overload, len(c.args))
	c.binary = len(c.args) == 2 && e.function(function, overload).Binary != nil
	if regex, ok := call.(*k8sfunctions.ConstantRegex); ok {
		c.binary, c.run = false, func(m *meter.Meter, values []ref.Val) ref.Val {
			meter.Found(m, values)
			return regex.Run(values...)
		}
	}
	return c, nil
}

// boundedCall is a call of a function with a bound.
type boundedCall struct {
	interpreter.InterpretableCall
	args       []interpreter.InterpretableV2
	run        Call
	env        *Env
	checksCost bool // the cost is checked before the call
	binary     bool // the second argument is evaluated if the first one has an error, too
}

// Eval implements interpreter.InterpretableV2.
func (c *boundedCall) Eval(variables interpreter.Activation) ref.Val {
	return c.Exec(interpreter.AsFrame(variables))
}

// Exec implements interpreter.InterpretableV2, as cel-go's calls do.
func (c *boundedCall) Exec(frame *interpreter.ExecutionFrame) ref.Val {
	values := make([]ref.Val, len(c.args))
	var failed ref.Val
	for i, arg := range c.args {
		if values[i] = arg.Exec(frame); failed == nil && types.IsUnknownOrError(values[i]) {
			failed = values[i]
		}
		if failed != nil && !c.binary {
			break
		}
	}
	if failed != nil {
		return failed
	}
	run := evaluationOf(frame)
	if c.checksCost {
		run.checkCost(c.env.CallCost(c.Function(), c.OverloadID(), values, nil))
	}
	return types.LabelErrNode(c.ID(), c.run(&run.meter, values))
}
