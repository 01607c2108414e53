package fasteval

import (
	"regexp"
	"strings"

	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/overloads"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
)

// newStringTest compiles startsWith, endsWith and contains of strings.
func (c *compiler) newStringTest(e ast.Expr, args []ast.Expr) evaluator {
	var holds func(a, b string) bool
	cost := func(_, b string) uint64 { return scan(length(b)) }
	if !c.env.Profile().PrefixLengths {
		cost = func(a, _ string) uint64 { return scan(length(a)) }
	}
	switch c.overload(e) {
	case overloads.StartsWithString:
		holds = strings.HasPrefix
	case overloads.EndsWithString:
		holds = strings.HasSuffix
	default:
		holds = strings.Contains
		cost = func(a, b string) uint64 { return scan(length(a)) * scan(length(b)) }
	}
	left, right := c.step(args[0], executed), c.step(args[1], executed)
	return evaluator{test: func(m *Machine) truth {
		l, r := left(m), right(m)
		if l.kind != kindString || r.kind != kindString {
			return unknown
		}
		if !m.pay(cost(l.s, r.s)) {
			return unknown
		}
		return truthOf(holds(l.s, r.s))
	}}
}

// newMatches compiles matches() with a constant regular expression, which
// cel-go compiles once as well.
func (c *compiler) newMatches(e ast.Expr, args []ast.Expr) evaluator {
	v, ok := c.constant(args[1])
	pattern, isString := v.(types.String)
	if !ok || !isString {
		c.left = true
		return evaluator{}
	}
	compiled, err := regexp.Compile(string(pattern))
	if err != nil {
		c.left = true // planning fails
		return evaluator{}
	}
	perCharacters := patternCost(length(string(pattern)))
	cost := func(size uint64) uint64 { return matchCost(size, perCharacters) }
	if c.overload(e) == overloads.Matches && !c.env.Profile().MatchesFunction {
		cost = func(uint64) uint64 { return callCost }
	}
	s := c.step(args[0], executed)
	return evaluator{test: func(m *Machine) truth {
		l := s(m)
		if l.kind != kindString {
			return unknown
		}
		if !m.pay(cost(l.size())) {
			return unknown
		}
		return truthOf(compiled.MatchString(l.s))
	}}
}

// newConcatenation compiles + of strings. Everything else that + adds is added
// by cel-go's functions.
func (c *compiler) newConcatenation(e ast.Expr, args []ast.Expr) evaluator {
	switch added := c.overload(e); {
	case added == "add_string":
	case !c.env.Profile().ScalarSets:
		c.left = true // a sum of sets changes the first one
		return evaluator{}
	default:
		return c.newCall(e, args)
	}
	left, right := c.step(args[0], executed), c.step(args[1], executed)
	return evaluator{step: func(m *Machine) val {
		l, r := left(m), right(m)
		if l.kind != kindString || r.kind != kindString {
			return val{}
		}
		if !m.pay(scan(l.size() + r.size())) {
			return val{}
		}
		m.meter.Make(uint64(len(l.s) + len(r.s)))
		return val{kind: kindString, s: l.s + r.s}
	}}
}

// newSize compiles size().
func (c *compiler) newSize(e ast.Expr, args []ast.Expr) evaluator {
	s := c.step(args[0], executed)
	call := c.call(e, 1)
	return evaluator{step: func(m *Machine) val {
		v := s(m)
		switch v.kind {
		case kindString, kindObject, kindList, kindBuilt:
			m.cost += callCost
			m.meter.Read(uint64(len(v.s)))
			return val{kind: kindInt, n: int64(v.size())}
		}
		return call(m, []ref.Val{m.ref(&v)})
	}}
}
