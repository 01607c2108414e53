package environment

import (
	"cel.dev/cel-go/common/functions"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/overloads"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"
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
	f := e.function(function, overload)
	run := implementation(f, args)
	if run == nil {
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

// implementation returns the implementation of a strict function for so many
// arguments, nil if it has none.
func implementation(f *functions.Overload, args int) functions.FunctionOp {
	switch {
	case f == nil || f.NonStrict || args == 0:
		return nil
	case args == 1 && f.Unary != nil:
		return func(v ...ref.Val) ref.Val { return f.Unary(v[0]) }
	case args == 2 && f.Binary != nil:
		return func(v ...ref.Val) ref.Val { return f.Binary(v[0], v[1]) }
	}
	return f.Function
}

// charged replaces a call, a list or a map, because minors charge them
// differently when an argument or an item is an error. It gives functions with
// a bound the state of their evaluation, to which functions of cel-go have no
// access. A regular expression that is constant is compiled already.
func (e *Env) charged(step interpreter.InterpretableV2) (interpreter.InterpretableV2, error) {
	switch step := step.(type) {
	case interpreter.InterpretableConstructor:
		return &constructor{step}, nil
	case interpreter.InterpretableCall:
		if c := e.newCall(step); c != nil {
			return c, nil
		}
	}
	return step, nil
}

// newCall returns what replaces a call, nil if the call stays.
func (e *Env) newCall(step interpreter.InterpretableCall) *call {
	function, overload, args := step.Function(), step.OverloadID(), step.Args()
	f := e.function(function, overload)
	c := &call{InterpretableCall: step, args: args, env: e, run: implementation(f, len(args))}
	if regex, ok := step.(*k8sfunctions.ConstantRegex); ok {
		c.run = regex.Run
		if function == "findAll" {
			c.before = meter.Found
		}
		return c
	}
	if c.run == nil {
		return nil
	}
	if function == overloads.Matches && isString(args[len(args)-1]) {
		return nil // to be compiled
	}
	c.before, c.trait = meter.BoundOf(e.profile, function, overload), f.OperandTrait
	c.checksCost = e.costs.KnownBefore(function, overload)
	c.binary = len(args) == 2 && f.Binary != nil
	switch function {
	case operators.Equals, operators.NotEquals, operators.LogicalNot:
		c.paysForErrors = true
	}
	return c
}

// isString reports whether a step is a constant of type string. One of another
// type can be written with dyn.
func isString(step interpreter.InterpretableV2) bool {
	constant, ok := step.(interpreter.InterpretableConst)
	return ok && constant.Value().Type() == types.StringType
}

// call is a call of a strict function.
type call struct {
	interpreter.InterpretableCall
	args       []interpreter.InterpretableV2
	env        *Env
	run        functions.FunctionOp
	trait      int         // the first argument has it
	before     meter.Bound // nil if the function has no bound
	checksCost bool        // the cost is checked before the call
	binary     bool        // the function has two arguments, and is planned so
	// paysForErrors: the call is charged in all minors if an argument is an
	// error.
	paysForErrors bool
}

// Eval implements interpreter.InterpretableV2.
func (c *call) Eval(variables interpreter.Activation) ref.Val {
	return interpreter.EvalActivation(variables, c.Exec)
}

// Exec implements interpreter.InterpretableV2, as cel-go's calls do.
func (c *call) Exec(frame *interpreter.ExecutionFrame) ref.Val {
	values := make([]ref.Val, len(c.args))
	for i, arg := range c.args {
		if values[i] = arg.Exec(frame); types.IsUnknownOrError(values[i]) {
			return c.fail(frame, values, i)
		}
	}
	if c.before != nil || c.checksCost {
		run := evaluationOf(frame)
		if c.checksCost {
			run.checkCost(c.env.CallCost(c.Function(), c.OverloadID(), values, nil))
		}
		if c.before != nil {
			c.before(&run.meter, values)
		}
	}
	result := types.LabelErrNode(c.ID(), c.apply(values))
	c.charge(frame, values, result)
	return result
}

// apply calls the function. A value without the function's trait may have a
// method for it.
func (c *call) apply(values []ref.Val) ref.Val {
	first := values[0].Type()
	switch {
	case first.HasTrait(c.trait): // every type has the trait 0, which is none
		return c.run(values...)
	case first.HasTrait(traits.ReceiverType):
		return values[0].(traits.Receiver).Receive(c.Function(), c.OverloadID(), values[1:])
	case len(c.args) > 2:
		return types.NewErr("no such overload: %s %d", c.Function(), c.ID())
	}
	return types.NewErr("no such overload: %s", c.Function())
}

// charge charges a call.
func (c *call) charge(frame *interpreter.ExecutionFrame, values []ref.Val, result ref.Val) {
	frame.CostTracker().EvalVarArgs(frame, c.ID(), c, values, result)
}

// fail returns the first argument that is an error. Before Kubernetes 1.38, the
// other argument of a call with two is evaluated nevertheless, and a call is
// charged if its last argument was evaluated. Since then, only calls that pay
// for errors are charged.
func (c *call) fail(
	frame *interpreter.ExecutionFrame, values []ref.Val, at int,
) ref.Val {
	failed := values[at]
	if evaluationOf(frame).profile.StopsAtErrors {
		if c.paysForErrors {
			if c.binary && at == 0 {
				values[1] = types.UnknownType
			}
			c.charge(frame, values, failed)
		}
		return failed
	}
	if c.binary && at == 0 {
		values[1], at = c.args[1].Exec(frame), 1
	}
	if at == len(values)-1 {
		c.charge(frame, values, failed)
	}
	return failed
}

// constructor is a list, a map or an object that an expression makes.
type constructor struct {
	interpreter.InterpretableConstructor
}

// Eval implements interpreter.InterpretableV2.
func (c *constructor) Eval(variables interpreter.Activation) ref.Val {
	return interpreter.EvalActivation(variables, c.Exec)
}

// Exec implements interpreter.InterpretableV2. Before Kubernetes 1.38, a list
// is charged even if an item is an error.
func (c *constructor) Exec(frame *interpreter.ExecutionFrame) ref.Val {
	made := c.InterpretableConstructor.Exec(frame)
	failure, failed := made.(*types.Err)
	if !failed || evaluationOf(frame).profile.StopsAtErrors {
		return made
	}
	switch tracker := frame.CostTracker(); c.Type() {
	case types.ListType:
		tracker.CreateList(c.ID(), made)
	case types.MapType:
		tracker.CreateMap(c.ID(), made)
	default:
		if failure.NodeID() != c.ID() { // otherwise cel-go has charged
			tracker.CreateStruct(c.ID(), made)
		}
	}
	return made
}
