package fasteval

import (
	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"
)

// newIn compiles `in`: whether a list has an item, or a map a key.
func (c *compiler) newIn(e ast.Expr, args []ast.Expr) evaluator {
	if c.overload(e) != "in_list" {
		return c.newCall(e, args)
	}
	if v, ok := c.constant(args[1]); ok {
		return c.newInConstant(args[0], v)
	}
	left, right := c.step(args[0], executed), c.step(args[1], executed)
	call := c.call(e, len(args))
	return evaluator{test: func(m *Machine) truth {
		l, r := left(m), right(m)
		if l.kind == kindString && r.kind == kindList {
			if t := containsString(r.x.([]any), l.s); t != unknown {
				m.cost += r.size()
				return t
			}
		}
		if v := call(m, []ref.Val{m.ref(&l), m.ref(&r)}); v.kind == kindBool {
			return truthOf(v.n != 0)
		}
		return unknown
	}}
}

// containsString looks for a string. It stops at an item that is not a string.
func containsString(items []any, s string) truth {
	for _, item := range items {
		t, ok := item.(string)
		if !ok {
			return unknown
		}
		if t == s {
			return yes
		}
	}
	return no
}

// newInConstant compiles `in` for a constant list of strings and integers, e.g.
// `self.a in ['x', 'y']`. decOptimize (interpreter/decorators.go) makes it a
// set, which costs nothing itself.
func (c *compiler) newInConstant(arg ast.Expr, constant ref.Val) evaluator {
	list := constant.(traits.Lister)
	texts, numbers := map[string]bool{}, map[int64]bool{}
	size, _ := list.Size().(types.Int)
	for i := range size {
		switch v := list.Get(i).(type) {
		case types.String:
			texts[string(v)] = true
		case types.Int:
			numbers[int64(v)] = true
		default:
			c.left = true
			return evaluator{}
		}
	}
	s := c.step(arg, executed)
	return evaluator{test: func(m *Machine) truth {
		switch v := s(m); v.kind {
		case kindString:
			return truthOf(texts[v.s])
		case kindInt:
			return truthOf(numbers[v.n])
		}
		return unknown
	}}
}
