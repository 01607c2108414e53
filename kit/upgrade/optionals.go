package upgrade

import (
	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"

	"github.com/crdsem/crdsem/internal/kit/celsyntax"
	"github.com/crdsem/crdsem/internal/kit/entail"
)

// optional is a field that is selected as self.?a: its place, and what has to
// be there for that not to fail.
type optional struct {
	at     name
	around name
	value  ast.Expr // the field, selected as self.a
}

// optional returns the field that an expression selects as an optional.
func (s scope) optional(e ast.Expr) (optional, bool) {
	var of ast.Expr
	var field string
	isFirst := false
	switch {
	case isCallOf(e, operators.OptSelect):
		args := e.AsCall().Args()
		text, isText := literalOf(args[1]).(string)
		if !isText {
			return optional{}, false
		}
		of, field, isFirst = args[0], text, true
	case e.Kind() == ast.SelectKind:
		of, field = e.AsSelect().Operand(), e.AsSelect().FieldName()
	default:
		return optional{}, false
	}
	value := func(of ast.Expr) ast.Expr {
		return ast.NewExprFactory().NewSelect(-4, of, field)
	}
	if o, ok := s.optional(of); ok {
		o.at.path = below(o.at.path, celsyntax.Field(field))
		o.value = value(o.value)
		return o, true
	}
	at, ok := s.selected(of)
	if !ok || !isFirst {
		return optional{}, false
	}
	path := below(at.path, celsyntax.Field(field))
	return optional{name{path, at.isOld}, at, value(of)}, true
}

// isThere returns the condition that an optional has a value. It fails if there
// is nothing around it. It is nil if that is not understood.
func (l *logic) isThere(o optional, s scope) entail.Condition {
	l.schema(o.around, s)
	all := []entail.Condition{}
	for n := len(o.around.path) + 1; n <= len(o.at.path); n++ {
		c := l.hasAt(name{o.at.path[:n], o.at.isOld}, s)
		if c == nil {
			return nil
		}
		all = append(all, surely(c))
	}
	return where(l.present(o.around.path, o.around.isOld, s), entail.All(all...))
}

// ofOptional understands a call of a field that is selected as an optional:
// `self.?a.hasValue()`, and what has `self.?a.orValue(1)` as an operand. It is
// nil for any other call.
func (l *logic) ofOptional(call ast.CallExpr, s scope) entail.Condition {
	if call.FunctionName() == "hasValue" && call.IsMemberFunction() {
		if o, ok := s.optional(call.Target()); ok {
			return l.isThere(o, s)
		}
		return nil
	}
	whole := ast.NewExprFactory().NewCall(-5, call.FunctionName(), call.Args()...)
	if call.IsMemberFunction() {
		whole = ast.NewExprFactory().NewMemberCall(-5, call.FunctionName(), call.Target(),
			call.Args()...)
	}
	part := s.orValue(whole)
	if part == nil || l.optionals >= mostOptionals {
		return nil
	}
	o, _ := s.optional(part.AsCall().Target())
	is := l.isThere(o, s)
	if is == nil {
		return nil
	}
	l.optionals++
	defer func() { l.optionals-- }()
	return entail.If(is, l.condition(replaced(whole, part, o.value), s),
		l.condition(replaced(whole, part, part.AsCall().Args()[0]), s))
}

// mostOptionals bounds the optionals of one expression, of which each doubles
// what there is to look at.
const mostOptionals = 4

// orValue returns the first operand of an expression that is an optional with
// an alternative, nil if there is none. It does not look into conditions of
// their own.
func (s scope) orValue(e ast.Expr) ast.Expr {
	if e.Kind() != ast.CallKind {
		return nil
	}
	call := e.AsCall()
	if call.FunctionName() == "orValue" && call.IsMemberFunction() && len(call.Args()) == 1 {
		if _, ok := s.optional(call.Target()); ok {
			return e
		}
		return nil
	}
	switch call.FunctionName() {
	case operators.LogicalAnd, operators.LogicalOr, operators.LogicalNot, operators.Conditional:
		return nil
	}
	if isMacro(call) {
		return nil
	}
	for _, operand := range append(targetOf(call), call.Args()...) {
		if found := s.orValue(operand); found != nil {
			return found
		}
	}
	return nil
}

// replaced returns a copy of an expression with another one in the place of a
// part.
func replaced(e, part, with ast.Expr) ast.Expr {
	if e == part {
		return with
	}
	if e.Kind() != ast.CallKind {
		return e
	}
	call := e.AsCall()
	args := make([]ast.Expr, len(call.Args()))
	for i, arg := range call.Args() {
		args[i] = replaced(arg, part, with)
	}
	f := ast.NewExprFactory()
	if call.IsMemberFunction() {
		return f.NewMemberCall(e.ID(), call.FunctionName(), replaced(call.Target(), part, with),
			args...)
	}
	return f.NewCall(e.ID(), call.FunctionName(), args...)
}
