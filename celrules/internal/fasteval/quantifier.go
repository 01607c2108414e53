package fasteval

import (
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
)

// quantifier is a comprehension of the macro all, exists or exists_one.
type quantifier struct {
	macro macro
	body  ast.Expr
}

type macro uint8

const (
	all macro = iota
	exists
	existsOne
)

// quantifierOf recognizes what the macros all, exists and exists_one expand to;
// charges.go has the forms.
func quantifierOf(f ast.ComprehensionExpr) (quantifier, bool) {
	if f.HasIterVar2() {
		return quantifier{}, false
	}
	accu := f.AccuVar()
	if isLiteral(f.AccuInit(), types.True) && isIdent(f.Result(), accu) {
		args, ok := callOf(f.LoopStep(), operators.LogicalAnd, 2)
		if ok && isIdent(args[0], accu) && isNotStrictlyFalse(f.LoopCondition(), accu) {
			return quantifier{all, args[1]}, true
		}
	}
	if isLiteral(f.AccuInit(), types.False) && isIdent(f.Result(), accu) {
		args, ok := callOf(f.LoopStep(), operators.LogicalOr, 2)
		if ok && isIdent(args[0], accu) && isNotStrictlyTrue(f.LoopCondition(), accu) {
			return quantifier{exists, args[1]}, true
		}
	}
	if isLiteral(f.AccuInit(), types.IntZero) && isLiteral(f.LoopCondition(), types.True) &&
		equalsOne(f.Result(), accu) {
		args, ok := callOf(f.LoopStep(), operators.Conditional, 3)
		if ok && addsOne(args[1], accu) && isIdent(args[2], accu) {
			return quantifier{existsOne, args[0]}, true
		}
	}
	return quantifier{}, false
}

// isLiteral reports whether an expression is that literal.
func isLiteral(e ast.Expr, v ref.Val) bool {
	return e.Kind() == ast.LiteralKind && e.AsLiteral() == v
}

// isIdent reports whether an expression is that identifier.
func isIdent(e ast.Expr, name string) bool {
	return e.Kind() == ast.IdentKind && e.AsIdent() == name
}

// callOf returns the arguments of a call of a global function, and false if the
// expression is not one with so many arguments.
func callOf(e ast.Expr, name string, args int) ([]ast.Expr, bool) {
	if e.Kind() != ast.CallKind {
		return nil, false
	}
	call := e.AsCall()
	if call.IsMemberFunction() || call.FunctionName() != name || len(call.Args()) != args {
		return nil, false
	}
	return call.Args(), true
}

// isNotStrictlyFalse recognizes `@not_strictly_false(accu)`.
func isNotStrictlyFalse(e ast.Expr, accu string) bool {
	args, ok := callOf(e, operators.NotStrictlyFalse, 1)
	return ok && isIdent(args[0], accu)
}

// isNotStrictlyTrue recognizes `@not_strictly_false(!accu)`.
func isNotStrictlyTrue(e ast.Expr, accu string) bool {
	args, ok := callOf(e, operators.NotStrictlyFalse, 1)
	if !ok {
		return false
	}
	args, ok = callOf(args[0], operators.LogicalNot, 1)
	return ok && isIdent(args[0], accu)
}

// equalsOne recognizes `accu == 1`.
func equalsOne(e ast.Expr, accu string) bool {
	args, ok := callOf(e, operators.Equals, 2)
	return ok && isIdent(args[0], accu) && isLiteral(args[1], types.IntOne)
}

// addsOne recognizes `accu + 1`.
func addsOne(e ast.Expr, accu string) bool {
	args, ok := callOf(e, operators.Add, 2)
	return ok && isIdent(args[0], accu) && isLiteral(args[1], types.IntOne)
}

// scoped compiles something with the variable of a loop in scope, and returns
// the variable's slot.
func (c *compiler) scoped(name string, compile func()) int {
	slot := len(c.locals)
	c.locals = append(c.locals, local{name, slot})
	c.slots = max(c.slots, len(c.locals))
	compile()
	c.locals = c.locals[:slot]
	return slot
}

// newQuantifier compiles all, exists and exists_one.
func (c *compiler) newQuantifier(e ast.Expr, q quantifier) evaluator {
	fold := e.AsComprehension()
	l := &loop{over: c.step(fold.IterRange(), executed)}
	l.slot = c.scoped(fold.IterVar(), func() { l.body = c.test(q.body, executed) })
	switch q.macro {
	case all:
		l.decides, l.condition, l.round = no, allCondition, allRound
		return evaluator{test: l.until}
	case exists:
		l.decides, l.condition, l.round = yes, existsCondition, existsRound
		return evaluator{test: l.until}
	}
	return evaluator{test: l.one}
}

// loop is a compiled quantifier.
type loop struct {
	over step // the list, or the map over whose keys the loop runs
	slot int
	body test

	// Of all and exists: the result of a body that decides the result of the
	// loop, and the charges for the condition alone and for a whole round.
	decides          truth
	condition, round uint64
}

// until runs rounds until a body decides the result of all or exists. If
// there are more items then, the condition before the next round runs and finds
// that the result is decided.
func (l *loop) until(m *Machine) truth {
	v := l.over(m)
	it, ok := rangeOf(&v)
	if !ok {
		return unknown
	}
	for it.next(&m.slots[l.slot]) {
		if m.slots[l.slot].kind == kindStopped {
			return unknown
		}
		m.cost += l.round
		t := l.body(m)
		if t == unknown || !m.tick() {
			return unknown
		}
		if t == l.decides {
			if it.more() {
				m.cost += l.condition
			}
			m.cost += loopEnd
			return l.decides
		}
	}
	m.cost += loopEnd
	return no + yes - l.decides
}

// one runs the rounds of exists_one: all of them.
func (l *loop) one(m *Machine) truth {
	v := l.over(m)
	it, ok := rangeOf(&v)
	if !ok {
		return unknown
	}
	count := 0
	for it.next(&m.slots[l.slot]) {
		if m.slots[l.slot].kind == kindStopped {
			return unknown
		}
		t := l.body(m)
		if t == unknown || !m.tick() {
			return unknown
		}
		if t == yes {
			count++
			m.cost += oneFound
		}
	}
	m.cost += oneEnd
	return truthOf(count == 1)
}
