package fasteval

import (
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"

	"github.com/crdsem/crdsem/celrules/internal/decl"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
)

// quantifier is a loop of all, exists or exists_one.
type quantifier struct {
	sort quantity
	body ast.Expr
}

type quantity uint8

const (
	all quantity = iota
	exists
	existsOne
)

// Charges for what a macro adds around its body: per round, at the end, and per kept item.
const (
	allRound, existsRound = 3, 4
	oneKept               = 2
	loopEnd, oneEnd       = 1, 2
	itemKept              = 12
)

// quantifierOf recognizes what the macros all, exists and exists_one expand to.
func quantifierOf(f ast.ComprehensionExpr) (quantifier, bool) {
	if f.HasIterVar2() {
		return quantifier{}, false
	}
	accumulator := f.AccuVar()
	if isLiteral(f.AccuInit(), types.True) && isIdent(f.Result(), accumulator) {
		args, ok := callOf(f.LoopStep(), operators.LogicalAnd, 2)
		if ok && isIdent(args[0], accumulator) && goesOn(f.LoopCondition(), accumulator) {
			return quantifier{all, args[1]}, true
		}
	}
	if isLiteral(f.AccuInit(), types.False) && isIdent(f.Result(), accumulator) {
		args, ok := callOf(f.LoopStep(), operators.LogicalOr, 2)
		if ok && isIdent(args[0], accumulator) && goesOnUnless(f.LoopCondition(), accumulator) {
			return quantifier{exists, args[1]}, true
		}
	}
	if isLiteral(f.AccuInit(), types.IntZero) && isLiteral(f.LoopCondition(), types.True) && equalsOne(f.Result(), accumulator) {
		args, ok := callOf(f.LoopStep(), operators.Conditional, 3)
		if ok && addsOne(args[1], accumulator) && isIdent(args[2], accumulator) {
			return quantifier{existsOne, args[0]}, true
		}
	}
	return quantifier{}, false
}

func isLiteral(e ast.Expr, v ref.Val) bool { return e.Kind() == ast.LiteralKind && e.AsLiteral() == v }

func isIdent(e ast.Expr, name string) bool { return e.Kind() == ast.IdentKind && e.AsIdent() == name }

func callOf(e ast.Expr, name string, args int) ([]ast.Expr, bool) {
	if e.Kind() != ast.CallKind || e.AsCall().IsMemberFunction() || e.AsCall().FunctionName() != name || len(e.AsCall().Args()) != args {
		return nil, false
	}
	return e.AsCall().Args(), true
}

func goesOn(e ast.Expr, accumulator string) bool {
	args, ok := callOf(e, operators.NotStrictlyFalse, 1)
	return ok && isIdent(args[0], accumulator)
}

func goesOnUnless(e ast.Expr, accumulator string) bool {
	args, ok := callOf(e, operators.NotStrictlyFalse, 1)
	if !ok {
		return false
	}
	args, ok = callOf(args[0], operators.LogicalNot, 1)
	return ok && isIdent(args[0], accumulator)
}

func equalsOne(e ast.Expr, accumulator string) bool {
	args, ok := callOf(e, operators.Equals, 2)
	return ok && isIdent(args[0], accumulator) && isLiteral(args[1], types.IntOne)
}

func addsOne(e ast.Expr, accumulator string) bool {
	args, ok := callOf(e, operators.Add, 2)
	return ok && isIdent(args[0], accumulator) && isLiteral(args[1], types.IntOne)
}

// scoped compiles something with a loop's variable in scope, and returns the variable's slot.
func (c *compiler) scoped(name string, compile func()) int {
	slot := len(c.locals)
	c.locals = append(c.locals, local{name, slot})
	c.slots = max(c.slots, len(c.locals))
	compile()
	c.locals = c.locals[:slot]
	return slot
}

// quantifier compiles all, exists and exists_one.
func (c *compiler) quantifier(e ast.Expr) test {
	fold := e.AsComprehension()
	q, _ := quantifierOf(fold)
	over := c.step(fold.IterRange(), executed)
	var body test
	slot := c.scoped(fold.IterVar(), func() { body = c.test(q.body, executed) })
	if c.unsupported {
		return nil
	}
	round := body
	switch q.sort {
	case all:
		return func(m *machine) truth { return m.until(over, slot, round, no, allRound) }
	case exists:
		return func(m *machine) truth { return m.until(over, slot, round, yes, existsRound) }
	}
	return func(m *machine) truth { return m.one(over, slot, round) }
}

// until runs rounds until one comes to what decides the result. The next round, if there is one, still begins: it finds that all is decided.
func (m *machine) until(over step, slot int, body test, decides truth, cost uint64) truth {
	v := over(m)
	it, ok := rangeOf(&v)
	if !ok {
		return unknown
	}
	for it.next(&m.slots[slot]) {
		if m.slots[slot].kind == stopped {
			return unknown
		}
		m.cost += cost
		t := body(m)
		if t == unknown || !m.tick() {
			return unknown
		}
		if t == decides {
			if it.more() {
				m.cost += cost - 1
			}
			m.cost += loopEnd
			return decides
		}
	}
	m.cost += loopEnd
	return no + yes - decides
}

func (m *machine) one(over step, slot int, body test) truth {
	v := over(m)
	it, ok := rangeOf(&v)
	if !ok {
		return unknown
	}
	count := 0
	for it.next(&m.slots[slot]) {
		if m.slots[slot].kind == stopped {
			return unknown
		}
		t := body(m)
		if t == unknown || !m.tick() {
			return unknown
		}
		if t == yes {
			count++
			m.cost += oneKept
		}
	}
	m.cost += oneEnd
	return truthOf(count == 1)
}

// loopStep compiles map and filter.
func (c *compiler) loopStep(e ast.Expr) step {
	fold := e.AsComprehension()
	filter, item, ok := mapOf(fold)
	if !ok {
		return c.unsupportedStep()
	}
	over := c.step(fold.IterRange(), executed)
	var keep test
	var keeps step
	slot := c.scoped(fold.IterVar(), func() {
		if filter != nil {
			keep = c.test(filter, executed)
		}
		keeps = c.step(item, executed)
	})
	if c.unsupported {
		return nil
	}
	// a list of one constant is a constant itself, and made for nothing
	kept := uint64(itemKept)
	if _, constant := c.constant(item); constant {
		kept -= listCost
	}
	return func(m *machine) val { return m.collect(over, slot, keep, keeps, kept) }
}

// mapOf recognizes what the macros map and filter expand to.
func mapOf(f ast.ComprehensionExpr) (filter, item ast.Expr, ok bool) {
	accumulator := f.AccuVar()
	if f.HasIterVar2() || f.AccuInit().Kind() != ast.ListKind || f.AccuInit().AsList().Size() != 0 ||
		!isLiteral(f.LoopCondition(), types.True) || !isIdent(f.Result(), accumulator) {
		return nil, nil, false
	}
	step := f.LoopStep()
	if args, conditional := callOf(step, operators.Conditional, 3); conditional {
		if !isIdent(args[2], accumulator) {
			return nil, nil, false
		}
		filter, step = args[0], args[1]
	}
	args, ok := callOf(step, operators.Add, 2)
	if !ok || !isIdent(args[0], accumulator) || args[1].Kind() != ast.ListKind {
		return nil, nil, false
	}
	l := args[1].AsList()
	if l.Size() != 1 || len(l.OptionalIndices()) > 0 {
		return nil, nil, false
	}
	return filter, l.Elements()[0], true
}

func (m *machine) collect(over step, slot int, keep test, keeps step, cost uint64) val {
	v := over(m)
	it, ok := rangeOf(&v)
	if !ok {
		return stop
	}
	items := []val{}
	for it.next(&m.slots[slot]) {
		if m.slots[slot].kind == stopped {
			return stop
		}
		if keep != nil {
			if t := keep(m); t == unknown {
				return stop
			} else if t == no {
				if !m.tick() {
					return stop
				}
				continue
			}
		}
		item := keeps(m)
		m.cost += cost
		if item.kind == stopped || !m.tick() {
			return stop
		}
		items = append(items, item)
	}
	m.cost += loopEnd
	return val{kind: built, x: items}
}

// items goes over a list, or over the keys of a map.
type items struct {
	raw  []any
	vals []val
	keys []string
	refs traits.Iterator
	elem *decl.Node // of raw
	at   int
}

func rangeOf(v *val) (items, bool) {
	switch v.kind {
	case list:
		return items{raw: v.x.([]any), elem: v.node.Elem()}, true
	case built:
		return items{vals: v.x.([]val)}, true
	case object:
		if v.node.IsObject() || v.node.Elem() == nil {
			return items{}, false
		}
		return items{keys: jsonvalue.SortedKeys(v.x.(map[string]any))}, true
	case other:
		if l, ok := v.x.(ref.Val).(traits.Lister); ok {
			return items{refs: l.Iterator()}, true
		}
	}
	return items{}, false
}

func (it *items) more() bool {
	if it.refs != nil {
		return it.refs.HasNext() == types.True
	}
	return it.at < len(it.raw)+len(it.vals)+len(it.keys)
}

// next stores the next item, and reports false at the end.
func (it *items) next(into *val) bool {
	if !it.more() {
		return false
	}
	switch {
	case it.refs != nil:
		*into = ofRef(it.refs.Next())
	case it.raw != nil:
		*into = ofRaw(it.raw[it.at], it.elem)
	case it.vals != nil:
		*into = it.vals[it.at]
	default:
		*into = val{kind: text, s: it.keys[it.at]}
	}
	it.at++
	return true
}
