package fasteval

import (
	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"

	"github.com/crdsem/crdsem/celrules/internal/decl"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
)

// newCollection compiles map and filter.
func (c *compiler) newCollection(fold ast.ComprehensionExpr) evaluator {
	filter, item := mapOf(fold.LoopStep().AsCall())
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

// mapOf returns the condition and the item of map or filter, whose step is
// given; charges.go has the forms. The filter is nil without a condition.
func mapOf(step ast.CallExpr) (filter, item ast.Expr) {
	args := step.Args()
	if step.FunctionName() == operators.Conditional {
		filter, args = args[0], args[1].AsCall().Args()
	}
	return filter, args[1].AsList().Elements()[0]
}

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
		return val{}
	}
	items := []val{}
	for it.next(&m.slots[l.slot]) {
		if l.filter != nil {
			if t := l.filter(m); t == unknown {
				return val{}
			} else if t == no {
				if !m.tick() {
					return val{}
				}
				continue
			}
		}
		item := l.item(m)
		m.cost += l.kept
		if item.kind == kindStopped || !m.tick() {
			return val{}
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
