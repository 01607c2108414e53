package fasteval

import (
	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/types"
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

// quantifierOf returns the quantifier of a comprehension, and false for another
// macro; charges.go has the forms. Only macros make comprehensions.
func quantifierOf(f ast.ComprehensionExpr) (quantifier, bool) {
	args := f.LoopStep().AsCall().Args()
	switch f.AccuInit().AsLiteral() {
	case nil: // a list
		return quantifier{}, false
	case types.True:
		return quantifier{all, args[1]}, true
	case types.False:
		return quantifier{exists, args[1]}, true
	}
	return quantifier{existsOne, args[0]}, true
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
func (c *compiler) newQuantifier(fold ast.ComprehensionExpr, q quantifier) evaluator {
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
