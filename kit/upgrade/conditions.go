package upgrade

import (
	"fmt"
	"math"

	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/types"

	"github.com/crdsem/crdsem/internal/kit/celsyntax"
	"github.com/crdsem/crdsem/internal/kit/entail"
	"github.com/crdsem/crdsem/structural"
)

// condition returns an expression as a condition. What it does not understand
// is a variable of the expression's text. What the definitions may read in two
// ways may come to anything.
func (l *logic) condition(e ast.Expr, s scope) entail.Condition {
	wasUnclear, sides := l.isUnclear, len(l.sides)
	l.isUnclear = false
	c := l.understood(e, s)
	if l.isUnclear {
		l.sides = l.sides[:sides]
		c = l.anything()
	}
	l.isUnclear = wasUnclear
	return c
}

// anything returns a condition that holds, does not hold or fails, whatever
// others say.
func (l *logic) anything() entail.Condition {
	v := l.variable(fmt.Sprintf("anything %d", len(l.variables)), 3)
	return entail.Is(v, func(value int) entail.Truth { return entail.Truth(value) })
}

func (l *logic) understood(e ast.Expr, s scope) entail.Condition {
	switch e.Kind() {
	case ast.LiteralKind:
		if is, isBool := e.AsLiteral().Value().(bool); isBool {
			return entail.Constant(entail.Of(is))
		}
	case ast.CallKind:
		if c := l.call(e.AsCall(), s); c != nil {
			return c
		}
	default:
		if t := l.term(e, s); t != nil && t.kind == boolTerm {
			return t.truth()
		}
	}
	return l.opaque(e, s)
}

// truth returns the condition that a bool is true.
func (t *term) truth() entail.Condition {
	if t.literal != nil {
		return entail.Constant(entail.Of(t.literal.literal == true))
	}
	return t.where(entail.Is(t.is, func(value int) entail.Truth { return entail.Of(value == 1) }))
}

// selected returns the place of an expression that only selects fields.
func (s scope) selected(e ast.Expr) (at name, ok bool) {
	switch e.Kind() {
	case ast.IdentKind:
		at, ok = s.names[e.AsIdent()]
		return at, ok && at.path != nil
	case ast.SelectKind:
		if at, ok = s.selected(e.AsSelect().Operand()); ok {
			at.path = below(at.path, celsyntax.Field(e.AsSelect().FieldName()))
			return at, true
		}
	}
	return name{}, false
}

// call returns a call as a condition, nil if it does not understand it.
func (l *logic) call(call ast.CallExpr, s scope) entail.Condition {
	args := call.Args()
	of := func(i int) entail.Condition { return l.condition(args[i], s) }
	if c := l.ofOptional(call, s); c != nil {
		return c
	}
	switch function := call.FunctionName(); function {
	case operators.LogicalNot:
		return entail.Not(of(0))
	case operators.LogicalAnd:
		return entail.All(of(0), of(1))
	case operators.LogicalOr:
		return entail.Any(of(0), of(1))
	case operators.Conditional:
		return entail.If(of(0), of(1), of(2))
	case operators.Equals:
		return l.equality(args[0], args[1], s)
	case operators.NotEquals:
		if c := l.equality(args[0], args[1], s); c != nil {
			return entail.Not(c)
		}
	case operators.Less, operators.LessEquals, operators.Greater, operators.GreaterEquals:
		return l.comparison(args[0], args[1], orders[function], s)
	case operators.In:
		return l.in(args[0], args[1], s)
	case "has":
		return l.has(args[0], s)
	case "all", "exists":
		return l.macro(call, s)
	case "exists_one", "existsOne":
		return l.counted(call, s)
	}
	return l.function(call, s)
}

// orders say of each operator which orders hold.
var orders = map[string]func(order int) bool{
	operators.Less:          func(order int) bool { return order < 0 },
	operators.LessEquals:    func(order int) bool { return order <= 0 },
	operators.Greater:       func(order int) bool { return order > 0 },
	operators.GreaterEquals: func(order int) bool { return order >= 0 },
	operators.Equals:        func(order int) bool { return order == 0 },
	operators.NotEquals:     func(order int) bool { return order != 0 },
}

func (l *logic) has(arg ast.Expr, s scope) entail.Condition {
	at, ok := s.selected(arg)
	if !ok || len(at.path) == 0 {
		return nil
	}
	return l.hasAt(at, s)
}

// hasAt returns the condition that there is a field, or a key of a map. It
// fails if there is nothing around it.
func (l *logic) hasAt(at name, s scope) entail.Condition {
	last := len(at.path) - 1
	l.schema(name{at.path[:last], at.isOld}, s)
	if _, isGiven := s.value(at); !isGiven && !l.isNew(at.path) {
		l.schema(at, s) // a default makes a difference
	}
	around := l.old(at.path[:last])
	if around != nil && !isPruning(around) && !l.isMap(at.path[:last]) &&
		!declares(around, at.path[last]) {
		return nil
	}
	member := l.member(at.path, at.isOld, s)
	if member == nil {
		member = entail.Constant(entail.True)
	}
	return where(l.present(at.path[:last], at.isOld, s), member)
}

// equality returns the condition that two expressions are equal.
func (l *logic) equality(a, b ast.Expr, s scope) entail.Condition {
	if a.Kind() == ast.LiteralKind || a.Kind() == ast.ListKind {
		a, b = b, a
	}
	if b.Kind() == ast.ListKind && b.AsList().Size() == 0 {
		if size := l.sizeOf(a, s); size != nil {
			return size(0, orders[operators.Equals])
		}
		return nil
	}
	if b.Kind() == ast.LiteralKind && b.AsLiteral().Type() == types.NullType {
		return l.isNull(a, s)
	}
	if is, isBool := literalOf(b).(bool); isBool {
		if !l.isCondition(a, s) {
			return nil // a value of another type is neither true nor false
		}
		if is {
			return l.condition(a, s)
		}
		return entail.Not(l.condition(a, s))
	}
	for _, sides := range [][2]ast.Expr{{a, b}, {b, a}} {
		if c := l.typeTest(sides[0], sides[1], s); c != nil {
			return c
		}
	}
	if l.isCondition(a, s) && l.isCondition(b, s) {
		x, y := l.condition(a, s), l.condition(b, s)
		return entail.If(x, y, entail.Not(y))
	}
	return l.comparison(a, b, orders[operators.Equals], s)
}

// isNull returns the condition that a field is null. It never is where its type
// allows no null, but it may be absent. The condition is nil for any other
// expression.
func (l *logic) isNull(e ast.Expr, s scope) entail.Condition {
	at, ok := s.selected(e)
	if schema := l.schemaIf(at, ok, s); schema == nil || schema.Type() == "" {
		return nil
	}
	return where(l.present(at.path, at.isOld, s), entail.Constant(entail.False))
}

// isCondition reports whether an expression is surely a bool.
func (l *logic) isCondition(e ast.Expr, s scope) bool {
	if e.Kind() == ast.CallKind {
		switch e.AsCall().FunctionName() {
		case operators.LogicalAnd, operators.LogicalNot, operators.LogicalOr, operators.In, "has",
			operators.Equals, operators.NotEquals, operators.Less, operators.LessEquals,
			operators.Greater, operators.GreaterEquals, "all", "exists", "exists_one", "existsOne",
			"matches", "startsWith", "endsWith", "contains", "hasValue", "isLessThan",
			"isGreaterThan", "isQuantity", "isURL", "isIP", "isCIDR", "isSemver":
			return true
		}
		return false
	}
	at, ok := s.selected(e)
	schema := l.schemaIf(at, ok, s)
	return schema != nil && schema.Type() == "boolean"
}

func (l *logic) schemaIf(at name, ok bool, s scope) *structural.Schema {
	if !ok {
		return nil
	}
	return l.schema(at, s)
}

// comparison returns the condition that two values compare in a way.
func (l *logic) comparison(
	a, b ast.Expr, holds func(order int) bool, s scope,
) entail.Condition {
	if a.Kind() == ast.LiteralKind {
		turned := holds
		a, b, holds = b, a, func(order int) bool { return turned(-order) }
	}
	if n, isInt := literalOf(b).(int64); isInt {
		if list, isSum := summandsOf(a); isSum {
			return l.sum(list, n, holds, s)
		}
		if size := l.sizeOf(a, s); size != nil {
			return size(n, holds)
		}
		if c := l.compareTo(a, n, holds, s); c != nil {
			return c
		}
	}
	return l.compareTerms(l.term(a, s), l.term(b, s), holds)
}

// compareTerms returns the condition that two terms compare in a way, nil if
// that is not understood.
func (l *logic) compareTerms(x, y *term, holds func(order int) bool) entail.Condition {
	switch {
	case x == nil || y == nil || x.isEither || y.isEither || isMixed(x, y):
		return nil
	case y.literal != nil && x.kind == textTerm:
		text, isText := y.literal.literal.(string)
		if !isText || holds(-1) || holds(1) || !holds(0) {
			return nil
		}
		return x.equals(text)
	case x.literal != nil && y.kind == textTerm:
		return l.compareTerms(y, x, func(order int) bool { return holds(-order) })
	case y.literal != nil && x.kind.isOrdered():
		return x.order(*y.literal, holds)
	case x.literal != nil && y.kind.isOrdered():
		return y.order(*x.literal, func(order int) bool { return holds(-order) })
	case x.literal != nil || y.literal != nil:
		return nil
	}
	return l.comparedTerms(x, y, holds)
}

// isMixed reports whether a text is compared with a literal of another kind, or
// the other way round: a duration in the place of a text.
func isMixed(x, y *term) bool {
	return (x.kind == textTerm) != (y.kind == textTerm) && (x.literal != nil || y.literal != nil)
}

// compareTo understands `a.compareTo(b) <= 0`.
func (l *logic) compareTo(
	e ast.Expr, n int64, holds func(order int) bool, s scope,
) entail.Condition {
	if n != 0 || !isCallOf(e, "compareTo") || !e.AsCall().IsMemberFunction() {
		return nil
	}
	return l.comparison(e.AsCall().Target(), e.AsCall().Args()[0], holds, s)
}

// in returns the condition that a value is one of a list.
func (l *logic) in(x, list ast.Expr, s scope) entail.Condition {
	if list.Kind() == ast.ListKind {
		return l.oneOf(x, list.AsList(), s)
	}
	at, ok := s.selected(list)
	schema := l.schemaIf(at, ok, s)
	if key, isText := literalOf(x).(string); isText && schema != nil && l.isMap(at.path) {
		return l.hasAt(name{below(at.path, key), at.isOld}, s)
	}
	if schema == nil || schema.Items() == nil {
		return nil
	}
	f := ast.NewExprFactory()
	item := f.NewIdent(-1, "@in")
	return l.macroOf(list, "exists", "@in", f.NewCall(-2, operators.Equals, item, x), s)
}

// oneOf returns the condition that a value is one of those of a list. Unlike in
// a disjunction, an error of one of them is never hidden.
func (l *logic) oneOf(x ast.Expr, list ast.ListExpr, s scope) entail.Condition {
	if len(list.OptionalIndices()) > 0 {
		return nil
	}
	var all []entail.Condition
	isLiteral := true
	for _, element := range list.Elements() {
		c := l.equality(x, element, s)
		if c == nil {
			return nil
		}
		all = append(all, c)
		isLiteral = isLiteral && element.Kind() == ast.LiteralKind
	}
	if isLiteral {
		return entail.Any(all...)
	}
	return entail.Count(all, func(n int) bool { return n > 0 })
}

// named returns the term of a key, which a function makes.
func (l *logic) named(key string, make func(t *term)) *term {
	if l.terms[key] == nil {
		t := &term{key: key, low: math.Inf(-1), high: math.Inf(1), is: l.variable(key, 1)}
		l.terms[key] = t
		make(t)
	}
	return l.terms[key]
}

// term returns the value of an expression, nil if it is of no kind that is
// understood.
func (l *logic) term(e ast.Expr, s scope) *term {
	switch e.Kind() {
	case ast.LiteralKind:
		return literalTerm("", e.AsLiteral().Value())
	case ast.CallKind:
		return l.computed(e, s)
	}
	at, ok := s.selected(e)
	if !ok {
		return nil
	}
	return l.field(at, s)
}

// literalTerm returns the constant of a literal as the argument of a function.
func literalTerm(function string, literal any) *term {
	p, ok := pointOf(function, literal)
	t := &term{kind: doubleTerm, literal: &p}
	switch literal := literal.(type) {
	case string:
		if function == "" {
			t.kind, p.literal = textTerm, literal
			return t
		}
		t.kind = amountTerm
	case bool:
		t.kind, p.literal = boolTerm, literal
		return t
	case int64:
		t.kind = intTerm
	}
	if !ok {
		return nil
	}
	return t
}

// field returns the value of a field.
func (l *logic) field(at name, s scope) *term {
	schema := l.schema(at, s)
	if schema == nil {
		return nil
	}
	if value, isKnown := s.literal(at); isKnown {
		return literalTerm("", value) // nil for a null
	}
	key := "value"
	if value, _ := s.value(at); value == any(removed{}) {
		key = "no value"
	}
	return l.named(s.key(key, at.path, at.isOld), func(t *term) {
		t.present, t.path, t.isOld = l.present(at.path, at.isOld, s), at.path, at.isOld
		switch format := schema.Values().Format; {
		case schema.IntOrString():
			t.kind, t.isEither = textTerm, true
			t.present = entail.If(t.present, l.isString(t), entail.Constant(entail.Fails))
		case schema.Type() == "boolean":
			t.kind = boolTerm
		case schema.Type() == "string" && format == "":
			t.kind = textTerm
		case schema.Type() == "string" && l.areDurations(at.path):
			// What has a format may be of another type, and then a rule fails.
			t.kind = amountTerm
			t.present = entail.All(t.present, l.converts("is duration", t))
		case schema.Type() == "integer":
			t.kind = intTerm
		case schema.Type() == "number":
			t.kind = doubleTerm
		}
		if t.kind == otherTerm && !l.isAlikeBelow(at.path) {
			l.isUnclear = true
		}
	})
}

// areDurations reports whether rules of both definitions read the value at a
// path as a duration.
func (l *logic) areDurations(path []string) bool {
	old, changed := l.old(path), l.changed(path)
	return old != nil && changed != nil && changed.Type() == "string" &&
		old.Values().Format == "duration" && changed.Values().Format == "duration"
}

// isString returns the condition that a value which may be an integer or a
// string is a string.
func (l *logic) isString(t *term) entail.Condition {
	return entail.Is(l.variable("string "+t.key, 2),
		func(value int) entail.Truth { return entail.Of(value == 1) })
}

// typeTest understands `type(self.port) == string` of an integer, a string, or
// a value that may be either.
func (l *logic) typeTest(a, b ast.Expr, s scope) entail.Condition {
	if !isCallOf(a, "type") || len(a.AsCall().Args()) != 1 || b.Kind() != ast.IdentKind {
		return nil
	}
	t := l.term(a.AsCall().Args()[0], s)
	at, ok := s.selected(a.AsCall().Args()[0])
	if t == nil || !ok || !t.isEither && t.kind != textTerm && t.kind != intTerm {
		return nil
	}
	if _, isShadowed := s.names[b.AsIdent()]; isShadowed {
		return nil
	}
	isString := entail.Constant(entail.Of(t.kind == textTerm))
	if t.isEither {
		isString = l.isString(t)
	}
	is := where(l.present(at.path, at.isOld, s), isString)
	switch b.AsIdent() {
	case "string":
		return is
	case "int":
		return entail.Not(is)
	}
	return nil
}
