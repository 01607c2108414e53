package celsyntax

import (
	"math"
	"strconv"
	"strings"

	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/parser"
)

// Formatted returns an expression that joins strings with +, e.g.
// "at most " + string(self.max), as a call of format, e.g.
// "at most %s".format([self.max]). The server estimates string(self.max) as a
// string of any length, so that a sum with it is over every limit, but not the
// result of format. Formatted returns "" for any other expression.
func Formatted(expression string) string {
	parsed := Parse(expression)
	var text strings.Builder
	var args []string
	converts, hasLiteral := false, false
	for _, part := range summands(parsed.Expr()) {
		if part.Kind() == ast.LiteralKind {
			literal, ok := part.AsLiteral().Value().(string)
			if !ok {
				return ""
			}
			hasLiteral = true
			text.WriteString(strings.ReplaceAll(literal, "%", "%%"))
			continue
		}
		if part.AsCall().FunctionName() == "string" &&
			!part.AsCall().IsMemberFunction() && len(part.AsCall().Args()) == 1 {
			part, converts = part.AsCall().Args()[0], true
		}
		// What does not parse is one part, which converts nothing.
		arg, _ := parser.Unparse(part, parsed.SourceInfo())
		text.WriteString("%s")
		args = append(args, arg)
	}
	if !converts || !hasLiteral {
		return ""
	}
	return strconv.Quote(text.String()) + ".format([" + strings.Join(args, ", ") + "])"
}

// summands returns what + joins.
func summands(e ast.Expr) []ast.Expr {
	if e.AsCall().FunctionName() != operators.Add {
		return []ast.Expr{e}
	}
	var list []ast.Expr
	for _, arg := range e.AsCall().Args() {
		list = append(list, summands(arg)...)
	}
	return list
}

// Text returns an expression of a rule as text, in one line. The text of an
// expression that cannot be written is empty.
func Text(rule *ast.AST, e ast.Expr) string {
	text, err := parser.Unparse(e, rule.SourceInfo(), parser.WrapOnColumn(math.MaxInt))
	if err != nil {
		return ""
	}
	return text
}
