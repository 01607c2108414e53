package upgrade

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/types"
)

// text returns an expression with the names of what its variables stand for, so
// that what has one text has one value.
func (l *logic) text(e ast.Expr, s scope) string {
	if at, ok := s.selected(e); ok {
		return s.key("", at.path, at.isOld)
	}
	switch e.Kind() {
	case ast.IdentKind:
		return e.AsIdent()
	case ast.LiteralKind:
		v := e.AsLiteral().Value()
		return fmt.Sprintf("%T(%#v)", v, v)
	case ast.SelectKind:
		return l.text(e.AsSelect().Operand(), s) + "." + e.AsSelect().FieldName()
	case ast.ListKind:
		return fmt.Sprint("[", l.texts(e.AsList().Elements(), s), "]",
			e.AsList().OptionalIndices())
	case ast.MapKind:
		var entries []string
		for _, entry := range e.AsMap().Entries() {
			m := entry.AsMapEntry()
			entries = append(entries, fmt.Sprint(m.IsOptional(), l.text(m.Key(), s), ": ",
				l.text(m.Value(), s)))
		}
		return "{" + strings.Join(entries, ", ") + "}"
	case ast.CallKind:
		return l.textOfCall(e.AsCall(), s)
	}
	return fmt.Sprintf("expression %d of %p", e.ID(), e)
}

func (l *logic) texts(list []ast.Expr, s scope) string {
	texts := make([]string, len(list))
	for i, e := range list {
		texts[i] = l.text(e, s)
	}
	return strings.Join(texts, ", ")
}

// commutative are the operators whose operands may be exchanged.
var commutative = []string{
	operators.Equals, operators.LogicalAnd, operators.LogicalOr,
}

func (l *logic) textOfCall(call ast.CallExpr, s scope) string {
	function, args := call.FunctionName(), call.Args()
	switch function {
	case operators.NotEquals:
		f := ast.NewExprFactory()
		return l.text(f.NewCall(0, operators.LogicalNot,
			f.NewCall(0, operators.Equals, args...)), s)
	case operators.LogicalNot:
		if isCallOf(args[0], operators.LogicalNot) {
			return l.text(args[0].AsCall().Args()[0], s)
		}
	case operators.LessEquals:
		if less := lessOfSize(args); less != nil {
			return l.text(less, s)
		}
	case operators.Greater, operators.GreaterEquals:
		function, args = turnedOperators[function], []ast.Expr{args[1], args[0]}
		return l.text(ast.NewExprFactory().NewCall(0, function, args...), s)
	}
	if isMacro(call) {
		inner, texts := s, []string{l.text(call.Target(), s)}
		inner.depth++
		bodies := slices.Clone(args[1:])
		inner = inner.within(args[0].AsIdent(), name{})
		for i := range bodies {
			bodies[i] = renamedIn(bodies[i], args[0].AsIdent(), fmt.Sprintf("@%d", s.depth))
			texts = append(texts, l.text(bodies[i], inner))
		}
		return function + "(" + strings.Join(texts, ", ") + ")"
	}
	all := append(targetOf(call), args...)
	if slices.Contains(commutative, function) {
		texts := []string{l.text(all[0], s), l.text(all[1], s)}
		slices.Sort(texts)
		return function + "(" + strings.Join(texts, ", ") + ")"
	}
	return function + "(" + l.texts(all, s) + ")"
}

// lessOfSize returns what `size(x) <= 9` is with the operator <. It is nil for
// what is no comparison of a size with a number.
func lessOfSize(args []ast.Expr) ast.Expr {
	const most = 1 << 53
	f := ast.NewExprFactory()
	for i, step := range []int64{-1, 1} {
		n, isInt := literalOf(args[i]).(int64)
		if isInt && n > -most && n < most && isCallOf(args[1-i], "size") {
			turned := []ast.Expr{args[0], args[1]}
			turned[i] = f.NewLiteral(0, types.Int(n+step))
			return f.NewCall(0, operators.Less, turned...)
		}
	}
	return nil
}

// isMacro reports whether a call is a macro of one variable.
func isMacro(call ast.CallExpr) bool {
	return call.IsMemberFunction() && len(call.Args()) >= 2 &&
		call.Args()[0].Kind() == ast.IdentKind && slices.Contains([]string{
		"all", "exists", "exists_one", "existsOne", "map", "filter"}, call.FunctionName())
}

// renamedIn returns an expression with another name of a variable.
func renamedIn(e ast.Expr, from, to string) ast.Expr {
	copied := ast.NewExprFactory().CopyExpr(e)
	ast.PostOrderVisit(copied, ast.NewExprVisitor(func(part ast.Expr) {
		if part.Kind() == ast.IdentKind && part.AsIdent() == from {
			part.SetKindCase(ast.NewExprFactory().NewIdent(part.ID(), to))
		}
	}))
	return copied
}

// within returns a scope with one more name.
func (s scope) within(variable string, is name) scope {
	names := map[string]name{variable: is}
	for other, at := range s.names {
		if other != variable {
			names[other] = at
		}
	}
	s.names = names
	return s
}

// quoted returns the pattern that texts match for which a function is true.
func quoted(function, text string) string {
	switch q := regexp.QuoteMeta(text); function {
	case "startsWith":
		return "^" + q
	case "endsWith":
		return q + "$"
	case "contains":
		return q
	}
	return text
}
