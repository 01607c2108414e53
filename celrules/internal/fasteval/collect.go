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

// newCollection compiles map and filter.
func (c *compiler) newCollection(e ast.Expr) evaluator {
	fold := e.AsComprehension()
	filter, item, ok := mapOf(fold)
	if !ok {
		return c.leave()
	}
	l := &collection{over: c.step(fold.IterRange(), executed), kept: itemKept}
	l.slot = c.scoped(fold.IterVar(), func() {
		if filter != nil {
			l.filter = c.test(filter, executed)
		}
		l.item = c.step(item, executed)
	})
	if _, constant := c.constant(item); constant {
		l.kept = constantKept
	}
	return evaluator{step: l.collect}
}

// mapOf recognizes what the macros map and filter expand to; charges.go has the
// forms. The filter is nil if there is no condition.
func mapOf(f ast.ComprehensionExpr) (filter, item ast.Expr, ok bool) {
	accu := f.AccuVar()
	if f.HasIterVar2() || !isEmptyList(f.AccuInit()) ||
		!isLiteral(f.LoopCondition(), types.True) || !isIdent(f.Result(), accu) {
		return nil, nil, false
	}
	step := f.LoopStep()
	if args, conditional := callOf(step, operators.Conditional, 3); conditional {
		if !isIdent(args[2], accu) {
			return nil, nil, false
		}
		filter, step = args[0], args[1]
	}
	args, ok := callOf(step, operators.Add, 2)
	if !ok || !isIdent(args[0], accu) || args[1].Kind() != ast.ListKind {
		return nil, nil, false
	}
	l := args[1].AsList()
	if l.Size() != 1 || len(l.OptionalIndices()) > 0 {
		return nil, nil, false
	}
	return filter, l.Elements()[0], true
}

func isEmptyList(e ast.Expr) bool { return e.Kind() == ast.ListKind && e.AsList().Size() == 0 }

// collection is a compiled map or filter.
type collection struct {
	over   step // the list, or the map over whose keys the loop runs
	slot   int
	filter test // nil: every item is kept
	item   step
	kept   uint64 // the charge for a kept item
}

// collect runs all rounds and returns the list of what is kept.
func (l *collection) collect(m *Machine) val {
	v := l.over(m)
	it, ok := rangeOf(&v)
	if !ok {
		return stop
	}
	items := []val{}
	for it.next(&m.slots[l.slot]) {
		if m.slots[l.slot].kind == kindStopped {
			return stop
		}
		if l.filter != nil {
			if t := l.filter(m); t == unknown {
				return stop
			} else if t == no {
				if !m.tick() {
					return stop
				}
				continue
			}
		}
		item := l.item(m)
		m.cost += l.kept
		if item.kind == kindStopped || !m.tick() {
			return stop
		}
		items = append(items, item)
	}
	m.cost += loopEnd
	return val{kind: kindBuilt, x: items}
}

// items iterates over a list, or over the keys of a map in their order. One of
// the first four fields is in use.
type items struct {
	raw  []any           // of a list of the object
	vals []val           // of a list that an expression made
	keys []string        // of a map of the object
	refs traits.Iterator // of a list of cel-go
	elem *decl.Node      // of raw
	at   int
}

// rangeOf returns the items of a value, and false if a loop cannot run over it.
func rangeOf(v *val) (items, bool) {
	switch v.kind {
	case kindList:
		return items{raw: v.x.([]any), elem: v.node.Elem()}, true
	case kindBuilt:
		return items{vals: v.x.([]val)}, true
	case kindObject:
		if v.node.IsObject() || v.node.Elem() == nil {
			return items{}, false
		}
		return items{keys: jsonvalue.SortedKeys(v.x.(map[string]any))}, true
	case kindOther:
		if l, ok := v.x.(ref.Val).(traits.Lister); ok {
			return items{refs: l.Iterator()}, true
		}
	}
	return items{}, false
}

// more reports whether there is a next item.
func (it *items) more() bool {
	if it.refs != nil {
		return it.refs.HasNext() == types.True
	}
	return it.at < len(it.raw)+len(it.vals)+len(it.keys)
}

// next stores the next item. It returns false at the end.
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
		*into = val{kind: kindString, s: it.keys[it.at]}
	}
	it.at++
	return true
}
