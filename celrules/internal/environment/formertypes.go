package environment

import (
	"regexp"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/checker"
	"cel.dev/cel-go/common"
	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/overloads"
)

// A comparison of types, e.g. `type(self.a) == type(optional.none())`, compiles
// in all minors before 1.38. cel-go since v0.33 looks at the values' types,
// too.

// comparedTypes matches the error of such a comparison.
var comparedTypes = regexp.MustCompile(
	`^found no matching overload for '_[!=]=_' applied to '\(type\(.*\), type\(.*\)\)'$`)

// checkTypes checks an expression again, with comparisons of types that did not
// compile made dynamic. The result has the comparisons as they were.
func (s *Scope) checkTypes(
	parsed *ast.AST, source cel.Source, checked *ast.AST, errs *common.Errors,
) (*ast.AST, *common.Errors) {
	failed := map[int64]bool{}
	for _, err := range errs.GetErrors() {
		if comparedTypes.MatchString(err.Message) {
			failed[err.ExprID] = true
		}
	}
	if len(failed) == 0 {
		return checked, errs
	}
	make, next := ast.NewExprFactory(), ast.MaxID(parsed)
	var restore []func()
	ast.PreOrderVisit(parsed.Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		if !failed[e.ID()] || !isComparison(e) {
			return
		}
		name, args := e.AsCall().FunctionName(), e.AsCall().Args()
		next++
		dynamic := make.NewCall(next, overloads.TypeConvertDyn, args[0])
		e.SetKindCase(make.NewCall(e.ID(), name, dynamic, args[1]))
		restore = append(restore, func() {
			e.SetKindCase(make.NewCall(e.ID(), name, args[0], args[1]))
		})
	}))
	checked, errs = checker.Check(parsed, source, s.checker)
	for _, undo := range restore {
		undo()
	}
	return checked, errs
}

// isComparison reports whether an expression is a call of == or !=.
func isComparison(e ast.Expr) bool {
	if e.Kind() != ast.CallKind {
		return false
	}
	name := e.AsCall().FunctionName()
	return name == operators.Equals || name == operators.NotEquals
}
