package functions

import (
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/interpreter"
)

// LazyOptionals returns the option of a plan with which or and orValue evaluate
// their argument only if the receiver is empty. They then cost nothing
// themselves (LIB-006).
func LazyOptionals() interpreter.PlannerOption {
	return interpreter.CustomDecoratorV2(lazily)
}

// lazily replaces a call of or or orValue.
func lazily(step interpreter.InterpretableV2) (interpreter.InterpretableV2, error) {
	call, ok := step.(interpreter.InterpretableCall)
	if !ok || len(call.Args()) != 2 {
		return step, nil
	}
	lazy := &lazyOptional{id: call.ID(), receiver: call.Args()[0], otherwise: call.Args()[1]}
	function, overload := call.Function(), call.OverloadID()
	switch {
	case function == "or" && (overload == "" || overload == "optional_or_optional"):
		return lazy, nil
	case function == "orValue" && (overload == "" || overload == "optional_orValue_value"):
		lazy.unwraps = true
		return lazy, nil
	}
	return step, nil
}

// lazyOptional is a call of or, or of orValue if it unwraps.
type lazyOptional struct {
	id                  int64
	receiver, otherwise interpreter.InterpretableV2
	unwraps             bool
}

// ID implements interpreter.InterpretableV2.
func (o *lazyOptional) ID() int64 { return o.id }

// Eval implements interpreter.InterpretableV2.
func (o *lazyOptional) Eval(variables interpreter.Activation) ref.Val {
	return o.Exec(interpreter.AsFrame(variables))
}

// Exec implements interpreter.InterpretableV2.
func (o *lazyOptional) Exec(frame *interpreter.ExecutionFrame) ref.Val {
	value := o.receiver.Exec(frame)
	if types.IsUnknownOrError(value) {
		return value
	}
	optional, ok := value.(*types.Optional)
	switch {
	case !ok:
		return types.NoSuchOverloadErr()
	case !optional.HasValue():
		return o.otherwise.Exec(frame)
	case o.unwraps:
		return optional.GetValue()
	}
	return value
}
