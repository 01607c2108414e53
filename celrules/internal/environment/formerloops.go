package environment

import (
	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"
	"cel.dev/cel-go/interpreter"
)

// cel-go goes through an empty string as through an empty list since v0.30.
// Before Kubernetes 1.38, that is an error, as for a string that is not empty.

// iterating returns the option of a plan that makes it one. Only loops over
// values of unknown types can go through a string.
func iterating(checked *ast.AST) interpreter.PlannerOption {
	loops := map[int64]ast.Expr{} // by what they go through
	ast.PreOrderVisit(checked.Expr(), ast.NewExprVisitor(func(node ast.Expr) {
		if node.Kind() != ast.ComprehensionKind {
			return
		}
		over := node.AsComprehension().IterRange().ID()
		switch checked.GetType(over).Kind() {
		case types.DynKind, types.TypeParamKind:
			loops[over] = node
		}
	}))
	return interpreter.CustomDecoratorV2(
		func(step interpreter.InterpretableV2) (interpreter.InterpretableV2, error) {
			if loop, ok := loops[step.ID()]; ok {
				return iterated{step, loop.ID(), loop.AsComprehension().HasIterVar2()}, nil
			}
			return step, nil
		})
}

// iterated is what a loop goes through.
type iterated struct {
	interpreter.InterpretableV2
	loop      int64
	variables bool // the loop has two
}

// Eval implements interpreter.InterpretableV2.
func (i iterated) Eval(variables interpreter.Activation) ref.Val {
	return interpreter.EvalActivation(variables, i.Exec)
}

// Exec implements interpreter.InterpretableV2.
func (i iterated) Exec(frame *interpreter.ExecutionFrame) ref.Val {
	value := i.InterpretableV2.Exec(frame)
	_, sized := value.(traits.Sizer)
	if !sized || value.Type().HasTrait(traits.IterableType) ||
		evaluationOf(frame).profile.EmptyLoops {
		return value
	}
	if i.variables {
		return types.NewErrWithNodeID(i.loop, "unsupported comprehension range type: %T", value)
	}
	return types.ValOrErr(value, "got '%T', expected iterable type", value)
}
