package functions

import (
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/interpreter"

	"github.com/crdsem/crdsem/internal/belowstructural/profile"
)

// LazyOptionals returns the option of a plan with which or and orValue evaluate
// their argument only if the receiver is empty. They then cost nothing
// themselves (LIB-006).
func LazyOptionals(p *profile.Profile) interpreter.PlannerOption {
	return interpreter.CustomDecoratorV2(
		func(step interpreter.InterpretableV2) (interpreter.InterpretableV2, error) {
			if lazy := lazily(step); lazy != nil {
				lazy.keepsOthers = !p.OptionalReceivers
				return lazy, nil
			}
			return step, nil
		})
}

// lazily returns what replaces a call of or or orValue, nil for other steps.
func lazily(step interpreter.InterpretableV2) *lazyOptional {
	call, ok := step.(interpreter.InterpretableCall)
	if !ok || len(call.Args()) != 2 {
		return nil
	}
	lazy := &lazyOptional{id: call.ID(), receiver: call.Args()[0], otherwise: call.Args()[1]}
	function, overload := call.Function(), call.OverloadID()
	switch {
	case function == "or" && (overload == "" || overload == "optional_or_optional"):
		return lazy
	case function == "orValue" && (overload == "" || overload == "optional_orValue_value"):
		lazy.unwraps = true
		return lazy
	}
	return nil
}

// lazyOptional is a call of or, or of orValue if it unwraps.
type lazyOptional struct {
	id                  int64
	receiver, otherwise interpreter.InterpretableV2
	unwraps             bool
	// keepsOthers returns a receiver that is not optional, as minors before
	// 1.37 do. Otherwise it is an error.
	keepsOthers bool
}

// ID implements interpreter.InterpretableV2.
func (o *lazyOptional) ID() int64 { return o.id }

// Eval implements interpreter.InterpretableV2.
func (o *lazyOptional) Eval(variables interpreter.Activation) ref.Val {
	return interpreter.EvalActivation(variables, o.Exec)
}

// Exec implements interpreter.InterpretableV2.
func (o *lazyOptional) Exec(frame *interpreter.ExecutionFrame) ref.Val {
	value := o.receiver.Exec(frame)
	if types.IsUnknownOrError(value) {
		return value
	}
	optional, ok := value.(*types.Optional)
	switch {
	case !ok && o.keepsOthers:
		return value
	case !ok:
		return types.NoSuchOverloadErr()
	case !optional.HasValue():
		return o.otherwise.Exec(frame)
	case o.unwraps:
		return optional.GetValue()
	}
	return value
}
