package environment

import (
	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/interpreter"
)

// Before Kubernetes 1.38, the test `has((c ? x : y).f)` costs 1 less than its
// parts: cel-go took back a charge for the test that it had not made.

// testing returns the option of a plan that takes it back.
func testing(checked *ast.AST) interpreter.PlannerOption {
	tests := map[int64]bool{}
	ast.PreOrderVisit(checked.Expr(), ast.NewExprVisitor(func(node ast.Expr) {
		if node.Kind() == ast.SelectKind && node.AsSelect().IsTestOnly() &&
			selectsFromConditional(node.AsSelect().Operand()) {
			tests[node.ID()] = true
		}
	}))
	return interpreter.CustomDecoratorV2(
		func(step interpreter.InterpretableV2) (interpreter.InterpretableV2, error) {
			attribute, ok := step.(interpreter.InterpretableAttribute)
			if ok && tests[step.ID()] {
				return conditionalTest{attribute}, nil
			}
			return step, nil
		})
}

// selectsFromConditional reports whether an expression is a conditional, or
// fields and items of one.
func selectsFromConditional(e ast.Expr) bool {
	switch e.Kind() {
	case ast.SelectKind:
		return !e.AsSelect().IsTestOnly() && selectsFromConditional(e.AsSelect().Operand())
	case ast.CallKind:
		switch call := e.AsCall(); call.FunctionName() {
		case operators.Conditional:
			return true
		case operators.Index, operators.OptIndex, operators.OptSelect:
			return selectsFromConditional(call.Args()[0])
		}
	}
	return false
}

// conditionalTest is a test of a field of a conditional.
type conditionalTest struct {
	interpreter.InterpretableAttribute
}

// Eval implements interpreter.InterpretableV2.
func (t conditionalTest) Eval(variables interpreter.Activation) ref.Val {
	return interpreter.EvalActivation(variables, t.Exec)
}

// Exec implements interpreter.InterpretableV2.
func (t conditionalTest) Exec(frame *interpreter.ExecutionFrame) ref.Val {
	value := t.InterpretableAttribute.Exec(frame)
	if run := evaluationOf(frame); !run.profile.ConditionalTests {
		run.refund()
	}
	return value
}
