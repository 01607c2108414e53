package upgrade

import (
	"fmt"
	"slices"
	"strings"

	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"

	"github.com/crdsem/crdsem/internal/kit/entail"
)

// macro understands all and exists over a list.
func (l *logic) macro(call ast.CallExpr, s scope) entail.Condition {
	if !isMacro(call) || len(call.Args()) != 2 {
		return nil
	}
	return l.macroOf(call.Target(), call.FunctionName(), call.Args()[0].AsIdent(),
		call.Args()[1], s)
}

// macroOf returns the condition that all items of a list meet a body, or that
// one does. Of the goal, one item stands for any that does not meet it: the
// goal holds if that one does.
func (l *logic) macroOf(
	list ast.Expr, macro, variable string, body ast.Expr, s scope,
) entail.Condition {
	if macro == "exists" {
		negated := ast.NewExprFactory().NewCall(-3, operators.LogicalNot, body)
		if isCallOf(body, operators.LogicalNot) {
			negated = body.AsCall().Args()[0]
		}
		if all := l.macroOf(list, "all", variable, negated, s); all != nil {
			return entail.Not(all)
		}
		return nil
	}
	at, ok := s.selected(list)
	schema := l.schemaIf(at, ok, s)
	item := below(at.path, anyChild)
	if _, isKnown := s.literal(at); schema == nil || schema.Items() == nil || isKnown ||
		!l.isAlikeBelow(item) {
		return nil
	}
	key := "all:" + l.text(ast.NewExprFactory().NewMemberCall(0, "all", list,
		ast.NewExprFactory().NewIdent(0, variable), body), s)
	isMade := l.variables[key] != nil
	is := entail.Is(l.variable(key, 3), func(value int) entail.Truth { return entail.Truth(value) })
	if of := (name{item, at.isOld}); !isMade && !l.isInside(of, s) {
		l.sided(is, of, body, s.within(variable, of))
	}
	return where(l.present(at.path, at.isOld, s), is)
}

// isInside reports whether a variable stands for an item already.
func (l *logic) isInside(item name, s scope) bool {
	n := len(item.path)
	for _, at := range s.names {
		if at.isOld == item.isOld && len(at.path) >= n && slices.Equal(at.path[:n], item.path) {
			return len(l.base) < n || !slices.Equal(l.base[:n], item.path)
		}
	}
	return false
}

// sided adds what a macro says of an item.
func (l *logic) sided(is entail.Condition, item name, body ast.Expr, s scope) {
	key := s.key("item", item.path, item.isOld)
	n := len(item.path)
	isBase := n <= len(l.base) && slices.Equal(item.path, l.base[:n])
	exists := l.item(item, s)
	if isBase {
		exists = entail.Constant(entail.True)
	}
	isWanted := s.isGoal && !l.wanted[key] && !isBase
	if isWanted {
		l.wanted[key] = true
		l.read[key] = item.path
	}
	if !isWanted && !l.wanted[key] && !isBase {
		return
	}
	inner := l.condition(body, s)
	holds := surely(inner)
	l.sides = append(l.sides,
		entail.Any(entail.Not(surely(is)), entail.Not(exists), holds))
	if isWanted {
		l.sides = append(l.sides, entail.Any(surely(is),
			entail.All(exists, entail.Not(holds))))
	}
}

// surely returns the condition that another one is true. It never fails.
func surely(c entail.Condition) entail.Condition {
	return func(m *entail.Model) (entail.Truth, *entail.Variable) {
		t, needs := c(m)
		return entail.Of(t == entail.True), needs
	}
}

// filtered returns the call of filter that an expression is, nil for any other.
func filtered(e ast.Expr) ast.CallExpr {
	if isCallOf(e, "filter") && isMacro(e.AsCall()) {
		return e.AsCall()
	}
	return nil
}

// counted understands exists_one over a list of conditions.
func (l *logic) counted(call ast.CallExpr, s scope) entail.Condition {
	if !isMacro(call) {
		return nil
	}
	return l.countOf(call, s, func(n int) bool { return n == 1 })
}

// countOf understands a macro which counts the conditions of a list that hold,
// e.g. [has(self.a), has(self.b)].filter(x, x).
func (l *logic) countOf(call ast.CallExpr, s scope, holds func(n int) bool) entail.Condition {
	list, args := call.Target(), call.Args()
	if list.Kind() != ast.ListKind || len(args) != 2 ||
		len(list.AsList().OptionalIndices()) > 0 {
		return nil
	}
	isSame := isNamed(args[1], args[0].AsIdent()) || isCallOf(args[1], operators.Equals) &&
		isNamed(args[1].AsCall().Args()[0], args[0].AsIdent()) &&
		literalOf(args[1].AsCall().Args()[1]) == true
	if !isSame {
		return nil
	}
	var all []entail.Condition
	for _, element := range list.AsList().Elements() {
		all = append(all, l.condition(element, s))
	}
	return entail.Count(all, holds)
}

func isNamed(e ast.Expr, variable string) bool {
	return e.Kind() == ast.IdentKind && e.AsIdent() == variable
}

// summandsOf returns the conditions of a sum such as `(a ? 1 : 0) + (b ? 1 :
// 0)`.
func summandsOf(e ast.Expr) (list []ast.Expr, isSum bool) {
	if !isCallOf(e, operators.Add) && !isCallOf(e, operators.Conditional) {
		return nil, false
	}
	for _, part := range operands(e, operators.Add) {
		if !isCallOf(part, operators.Conditional) ||
			literalOf(part.AsCall().Args()[1]) != any(int64(1)) ||
			literalOf(part.AsCall().Args()[2]) != any(int64(0)) {
			return nil, false
		}
		list = append(list, part.AsCall().Args()[0])
	}
	return list, true
}

func (l *logic) sum(
	list []ast.Expr, n int64, holds func(order int) bool, s scope,
) entail.Condition {
	var all []entail.Condition
	for _, e := range list {
		all = append(all, l.condition(e, s))
	}
	return entail.Count(all, func(count int) bool { return holds(jsonOrder(int64(count), n)) })
}

// function understands functions of texts and of amounts.
func (l *logic) function(call ast.CallExpr, s scope) entail.Condition {
	all := append(targetOf(call), call.Args()...)
	if len(all) == 0 {
		return nil
	}
	switch function := call.FunctionName(); function {
	case "matches", "startsWith", "endsWith", "contains":
		text, isText := "", false
		if len(all) == 2 {
			text, isText = literalOf(all[1]).(string)
		}
		if t := l.termIf(isText, all[0], s); t != nil && t.kind == textTerm {
			return l.matches(t, quoted(function, text))
		}
	case "isLessThan":
		return l.comparison(all[0], all[1], orders[operators.Less], s)
	case "isGreaterThan":
		return l.comparison(all[0], all[1], orders[operators.Greater], s)
	case "isQuantity", "isURL", "isIP", "isCIDR", "isSemver":
		if t := l.termIf(len(all) == 1, all[0], s); t != nil && t.kind == textTerm &&
			t.literal == nil {
			return t.where(l.converts(function, t))
		}
	}
	return nil
}

// converts returns the condition that a function is true of a text, or that a
// conversion does not fail.
func (l *logic) converts(function string, t *term) entail.Condition {
	return entail.Is(l.variable(function+" "+t.key, 2),
		func(value int) entail.Truth { return entail.Of(value == 1) })
}

func (l *logic) termIf(ok bool, e ast.Expr, s scope) *term {
	if !ok {
		return nil
	}
	return l.term(e, s)
}

// asked are the functions that say whether a conversion fails.
var asked = map[string]string{
	"quantity": "isQuantity", "duration": "converts duration", "timestamp": "converts timestamp",
	"int": "converts int", "double": "converts double",
}

// computed returns the value of a call: an amount, or a number.
func (l *logic) computed(e ast.Expr, s scope) *term {
	call := e.AsCall()
	args := call.Args()
	switch function := call.FunctionName(); function {
	case "quantity", "duration":
		if len(args) != 1 {
			return nil
		}
		if text, isText := literalOf(args[0]).(string); isText {
			return literalTerm(function, text)
		}
		of := l.term(args[0], s)
		if of != nil && of.kind == amountTerm && function == "duration" {
			return of // it is one already
		}
		if of == nil || of.kind != textTerm {
			return nil
		}
		if of.literal != nil {
			return literalTerm(function, of.literal.literal)
		}
		return l.named(function+" "+of.key, func(t *term) {
			t.kind, t.path, t.isOld = amountTerm, of.path, of.isOld
			t.present = of.where(l.converts(asked[function], of))
		})
	case operators.Add, operators.Subtract:
		return l.summed(e, function, s)
	case operators.Modulo:
		if n, isInt := literalOf(args[1]).(int64); isInt && n > 0 {
			return l.remainder(l.term(args[0], s), n)
		}
	}
	return l.unknownTerm(e, s)
}

// remainder returns the remainder of a whole number.
func (l *logic) remainder(of *term, n int64) *term {
	if of == nil || of.kind != intTerm || of.literal != nil {
		return nil
	}
	return l.named(of.key+" % "+shown(n), func(t *term) {
		t.kind, t.present = intTerm, of.present
		t.low, t.high = float64(1-n), float64(n-1)
	})
}

// unknownTerm returns the value of a call that is not understood, which may
// fail.
func (l *logic) unknownTerm(e ast.Expr, s scope) *term {
	l.whole(e, s)
	return l.named("?"+l.text(e, s), func(t *term) {
		t.present = entail.Is(l.variable("fails "+t.key, 2),
			func(value int) entail.Truth { return entail.Of(value == 1) })
	})
}

// summed returns a sum or a difference. It fails if it may overflow.
func (l *logic) summed(e ast.Expr, operator string, s scope) *term {
	args := e.AsCall().Args()
	a, b := l.term(args[0], s), l.term(args[1], s)
	if a == nil || b == nil || !a.kind.isOrdered() || !b.kind.isOrdered() ||
		a.kind == amountTerm || b.kind == amountTerm {
		return l.unknownTerm(e, s)
	}
	lowA, highA := l.limits(a)
	lowB, highB := l.limits(b)
	if operator == operators.Subtract {
		lowB, highB = -highB, -lowB
	}
	const exact = 1 << 53
	if lowA+lowB < -exact || highA+highB > exact {
		return l.unknownTerm(e, s)
	}
	texts := []string{l.text(args[0], s), l.text(args[1], s)}
	if operator == operators.Add {
		slices.Sort(texts)
	}
	key := "sum:" + strings.Join(texts, operator) + s.givenText()
	return l.named(key, func(t *term) {
		t.kind, t.low, t.high = doubleTerm, lowA+lowB, highA+highB
		if a.kind == intTerm && b.kind == intTerm {
			t.kind = intTerm
		}
		t.present = a.where(b.where(entail.Constant(entail.True)))
	})
}

// givenText is a text of what is known.
func (s scope) givenText() string { return fmt.Sprint(s.given, s.givenOld) }

// limits returns the bounds of a number by its schema.
func (l *logic) limits(t *term) (low, high float64) {
	switch {
	case t.literal != nil:
		return t.literal.number, t.literal.number
	case t.path == nil:
		return t.low, t.high
	}
	n := l.judges.node(l.old(t.path))
	low, high = n.interval()
	if !n.isSound(n.values.Minimum, n.values.Maximum) {
		return t.low, t.high
	}
	return low, high
}
