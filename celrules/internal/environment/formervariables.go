package environment

import (
	"slices"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/interpreter"
)

// Variables of macros in minors before the newest.

// checkSecondVariables adds an issue for each use of the second variable of a
// macro over a dynamic value, which had no type in Kubernetes 1.32.
func (e *Env) checkSecondVariables(checked *ast.AST, issues *cel.Issues) {
	if e.profile.DynamicSecondVariables {
		return
	}
	ast.PostOrderVisit(checked.Expr(), ast.NewExprVisitor(func(node ast.Expr) {
		if node.Kind() != ast.ComprehensionKind {
			return
		}
		c := node.AsComprehension()
		switch checked.GetType(c.IterRange().ID()).Kind() {
		case types.DynKind, types.TypeParamKind:
			for _, part := range []ast.Expr{c.LoopCondition(), c.LoopStep()} {
				for _, use := range uses(ast.NavigateExpr(checked, part), c.IterVar2()) {
					issues.ReportErrorAtID(use, "the variable %s has no type", c.IterVar2())
				}
			}
		}
	}))
}

// uses returns the ids of the uses of a variable that a node does not declare.
func uses(node ast.NavigableExpr, name string) []int64 {
	if node.Kind() == ast.IdentKind && node.AsIdent() == name {
		return []int64{node.ID()}
	}
	parts := node.Children()
	if node.Kind() == ast.ComprehensionKind {
		c := node.AsComprehension()
		switch name { // the range, the initial value, the condition, the step, the result
		case c.AccuVar():
			parts = parts[:2]
		case c.IterVar(), c.IterVar2():
			parts = slices.Delete(slices.Clone(parts), 2, 4)
		}
	}
	var out []int64
	for _, part := range parts {
		out = append(out, uses(part, name)...)
	}
	return out
}

// eager returns the options of a plan. Before Kubernetes 1.32, optMap and
// optFlatMap read the value of their receiver even if their expression does not
// use it, and charged that.
func (e *Env) eager(checked *ast.AST) []interpreter.PlannerOption {
	options := append(slices.Clip(e.planning), iterating(checked), testing(checked))
	if e.profile.LazyContents {
		return options
	}
	variables := map[int64]string{} // by the expression that may use it
	ast.PreOrderVisit(checked.Expr(), ast.NewExprVisitor(func(node ast.Expr) {
		if node.Kind() == ast.ComprehensionKind && isEmptyList(node.AsComprehension().IterRange()) {
			variables[node.AsComprehension().Result().ID()] = node.AsComprehension().AccuVar()
		}
	}))
	return append(options, interpreter.CustomDecoratorV2(
		func(step interpreter.InterpretableV2) (interpreter.InterpretableV2, error) {
			name, ok := variables[step.ID()]
			if !ok {
				return step, nil
			}
			before := reading{step, name}
			if attribute, ok := step.(interpreter.InterpretableAttribute); ok {
				return readingAttribute{attribute, before}, nil
			}
			return before, nil
		}))
}

// reading is a step before which the value of a variable is read.
type reading struct {
	interpreter.InterpretableV2
	name string
}

// Exec implements interpreter.InterpretableV2.
func (r reading) Exec(frame *interpreter.ExecutionFrame) ref.Val {
	frame.ResolveName(r.name)
	return r.InterpretableV2.Exec(frame)
}

// Eval implements interpreter.InterpretableV2.
func (r reading) Eval(variables interpreter.Activation) ref.Val {
	return interpreter.EvalActivation(variables, r.Exec)
}

// readingAttribute is a reading of an attribute, which stays one.
type readingAttribute struct {
	interpreter.InterpretableAttribute
	before reading
}

// Exec implements interpreter.InterpretableV2.
func (r readingAttribute) Exec(frame *interpreter.ExecutionFrame) ref.Val {
	return r.before.Exec(frame)
}

// Eval implements interpreter.InterpretableV2.
func (r readingAttribute) Eval(variables interpreter.Activation) ref.Val {
	return r.before.Eval(variables)
}
