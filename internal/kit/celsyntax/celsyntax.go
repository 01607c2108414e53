// Package celsyntax reads the syntax of validation rules: without types, and
// without expanded macros.
package celsyntax

import (
	"slices"
	"strings"

	"cel.dev/cel-go/common"
	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/parser"
)

// Parse returns the syntax of a rule. It is nil for a rule that does not parse,
// and for one that calls a well-known function with another number of arguments
// than it takes: no server accepts it.
func Parse(rule string) *ast.AST {
	// These options do not fail.
	p, _ := parser.NewParser(parser.EnableOptionalSyntax(true),
		parser.EnableIdentEscapeSyntax(true))
	parsed, errs := p.Parse(common.NewTextSource(rule))
	if len(errs.GetErrors()) > 0 || !isWellFormed(parsed.Expr()) {
		return nil
	}
	return parsed
}

// takes are the numbers of arguments of functions that those who read a rule
// look into, with the target of a method.
var takes = map[string]int{
	operators.Has: 1, "size": 1, "type": 1, "quantity": 1, "duration": 1, "isLessThan": 2,
	"isGreaterThan": 2, "compareTo": 2, "startsWith": 2, "endsWith": 2, "contains": 2,
	"matches": 2,
}

// isWellFormed reports whether the calls of an expression have as many
// arguments as their functions take.
func isWellFormed(e ast.Expr) bool {
	isWell := true
	ast.PostOrderVisit(e, ast.NewExprVisitor(func(part ast.Expr) {
		if part.Kind() != ast.CallKind {
			return
		}
		call := part.AsCall()
		count, name := len(call.Args()), call.FunctionName()
		if call.IsMemberFunction() {
			count++
		}
		number, isKnown := takes[name]
		if isOfSets(call) {
			return
		}
		isMacro := name == operators.Has
		isWell = isWell && (!isKnown || count == number) && !(isMacro && call.IsMemberFunction())
	}))
	return isWell
}

// isOfSets reports whether a call is one of the library for sets, e.g.
// sets.contains(a, b), which the parser takes for a method.
func isOfSets(call ast.CallExpr) bool {
	return call.IsMemberFunction() && call.Target().Kind() == ast.IdentKind &&
		call.Target().AsIdent() == "sets"
}

// keywords cannot be names of fields in CEL.
var keywords = []string{
	"true", "false", "null", "in", "as", "break", "const", "continue", "else", "for", "function",
	"if", "import", "let", "loop", "package", "namespace", "return", "var", "void", "while",
}

// escapes are the strings that CEL writes in another way in names of fields.
var escapes = []string{
	"__", "__underscores__", ".", "__dot__", "-", "__dash__", "/", "__slash__",
}

// Name returns how CEL writes the name of a field (CEL-030). It is the reverse
// of [Field].
func Name(field string) string {
	if slices.Contains(keywords, field) {
		return "__" + field + "__"
	}
	return strings.NewReplacer(escapes...).Replace(field)
}

// Field returns the field that a name of CEL stands for (CEL-030).
func Field(name string) string {
	name = strings.Trim(name, "`")
	for _, keyword := range keywords {
		if name == "__"+keyword+"__" {
			return keyword
		}
	}
	reversed := slices.Clone(escapes)
	slices.Reverse(reversed)
	return strings.NewReplacer(reversed...).Replace(name)
}
