package objectgen

import (
	"slices"

	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
)

// satisfy makes a condition true or false. It reports whether it knew how, or
// whether the condition is so already.
func (s *solver) satisfy(t term, want bool) bool {
	if s.isSpent() {
		return false
	}
	t = t.resolved()
	args := t.args()
	switch name := t.function(); name {
	case operators.LogicalNot:
		return s.satisfy(args[0], !want)
	case operators.LogicalAnd, operators.LogicalOr:
		if want == (name == operators.LogicalAnd) {
			return s.every(args, want)
		}
		return s.some(args, want)
	case operators.Conditional:
		return s.conditional(args, func(branch term) bool { return s.satisfy(branch, want) })
	case operators.Equals, operators.NotEquals, operators.Less, operators.LessEquals,
		operators.Greater, operators.GreaterEquals:
		return s.compare(args[0], relationOf(name, want), args[1]) || s.distance(t, want) == 0
	case "has", "hasValue":
		return s.presence(args[0], want)
	case operators.In:
		return s.membership(args[0], args[1], want)
	case "all", "exists", "exists_one", "existsOne":
		if len(args) >= 3 {
			return s.quantified(t, want)
		}
	case "isSorted":
		return s.sorted(args[0], want)
	}
	if c := s.cell(t); c != nil {
		return s.put(c, want)
	}
	if v, ok := s.eval(t); ok && v == want && len(args) == 0 {
		return true
	}
	return s.predicate(t, want)
}

// every satisfies all conditions.
func (s *solver) every(conditions []term, want bool) bool {
	ok := true
	for _, c := range conditions {
		ok = s.satisfy(c, want) && ok
	}
	return ok
}

// some satisfies one of the conditions: more often one that is so already.
func (s *solver) some(conditions []term, want bool) bool {
	shuffled := slices.Clone(conditions)
	s.m.Rand.Shuffle(len(shuffled), func(i, j int) {
		shuffled[i], shuffled[j] = shuffled[j], shuffled[i]
	})
	if s.keeping || Chance(s.m.Rand, 0.8) {
		slices.SortStableFunc(shuffled, func(a, b term) int {
			return s.distance(a, want) - s.distance(b, want)
		})
	}
	return slices.ContainsFunc(shuffled, func(c term) bool { return s.satisfy(c, want) })
}

// distance is 0 for a condition that is as wanted, and 1 otherwise.
func (s *solver) distance(t term, want bool) int {
	if v, ok := s.eval(t); ok && v == want {
		return 0
	}
	return 1
}

// conditional applies a function to a branch of a conditional operator, and
// makes the condition choose it.
func (s *solver) conditional(args []term, apply func(branch term) bool) bool {
	first := s.distance(args[0], true) == 0
	if !s.keeping && Chance(s.m.Rand, 0.25) {
		first = !first
	}
	for _, choice := range []bool{first, !first} {
		branch := args[2]
		if choice {
			branch = args[1]
		}
		if apply(branch) && s.satisfy(args[0], choice) {
			return true
		}
	}
	return false
}

// put gives a cell a value.
func (s *solver) put(c *cell, v any) bool {
	if have, ok := c.value(); ok && jsonvalue.EqualNumbers(have, v) {
		return true
	}
	if s.keeping {
		return false
	}
	c.set(jsonvalue.DeepCopy(v))
	return true
}

// presence adds or removes a value.
func (s *solver) presence(t term, want bool) bool {
	c := s.cell(t)
	if c == nil {
		return s.predicate(t, want)
	}
	_, has := c.value()
	switch {
	case has == want:
		return true
	case s.keeping:
		return false
	case want:
		c.set(s.fresh(c))
		return true
	}
	return c.remove()
}

// membership satisfies `x in list`, `"key" in map` and `field in object`.
func (s *solver) membership(x, in term, want bool) bool {
	if c := s.cell(in); c != nil && !s.keeping {
		v, known := s.eval(x)
		have, _ := c.value()
		switch have := have.(type) {
		case map[string]any:
			if key, ok := v.(string); ok {
				return s.presenceOf(s.member(c, key), want)
			}
		case []any:
			at := slices.IndexFunc(have, func(y any) bool { return jsonvalue.EqualNumbers(v, y) })
			switch {
			case !known || at >= 0 == want:
			case want:
				c.set(append(slices.Clone(have), v))
				return true
			default:
				return s.item(c, at).remove()
			}
		}
	}
	v, ok := s.eval(in)
	list, isList := v.([]any)
	if !ok || !isList {
		return false
	}
	if want {
		return s.oneOf(x, list)
	}
	ok = true
	for _, item := range list {
		ok = s.assign(x, operators.NotEquals, item) && ok
	}
	return ok
}

func (s *solver) presenceOf(c *cell, want bool) bool {
	if _, has := c.get(); has == want {
		return true
	}
	if want {
		c.set(s.fresh(c))
		return true
	}
	return c.remove()
}

// elements returns the items of a list as bindings, or the keys of a map.
func (s *solver) elements(of term) (elements []binding, list *cell, ok bool) {
	of = of.resolved()
	if of.Kind() == ast.ListKind {
		for _, e := range of.AsList().Elements() {
			elements = append(elements, binding{term: &term{e, of.in}})
		}
		return elements, nil, true
	}
	list = s.cell(of)
	if list == nil {
		return nil, nil, false
	}
	v, _ := list.value()
	switch v := v.(type) {
	case []any:
		for i := range v {
			elements = append(elements, binding{cell: s.item(list, i)})
		}
	case map[string]any:
		for _, name := range jsonvalue.SortedKeys(v) {
			elements = append(elements, binding{cell: s.key(list, name)})
		}
	}
	return elements, list, true
}

// quantified satisfies a macro over a list or a map.
func (s *solver) quantified(t term, want bool) bool {
	args := t.args()
	elements, list, ok := s.elements(args[0])
	if !ok || args[1].Kind() != ast.IdentKind {
		return false
	}
	body := args[len(args)-1]
	inner := func(i int) term {
		in := t.in.with(args[1].AsIdent(), elements[i])
		if len(args) == 4 && args[2].Kind() == ast.IdentKind {
			in = s.bindTwo(t.in, args, elements[i], list, i)
		}
		return term{body.Expr, in}
	}
	name := t.function()
	if isAll := name == "all"; isAll && want || name == "exists" && !want {
		ok := true
		for i := range elements {
			ok = s.satisfy(inner(i), want) && ok
		}
		return ok
	}
	if len(elements) == 0 && list != nil && !s.keeping && (want || name == "all") {
		if !s.resize(list, 1) {
			return false
		}
		elements, _, _ = s.elements(args[0])
	}
	if name == "all" || name == "exists" {
		return s.someOf(len(elements), inner, want)
	}
	return s.exactly(len(elements), inner, want)
}

// bindTwo binds the two variables of a macro, e.g. of self.all(key, value, …).
func (s *solver) bindTwo(in scope, args []term, element binding, of *cell, i int) scope {
	first, second := binding{value: int64(i)}, element
	if element.cell != nil && element.cell.isKey {
		name, _ := element.cell.get()
		key, _ := name.(string)
		first, second = element, binding{cell: s.member(of, key)}
	}
	return in.with(args[1].AsIdent(), first).with(args[2].AsIdent(), second)
}

func (s *solver) someOf(count int, condition func(i int) term, want bool) bool {
	var all []term
	for i := range count {
		all = append(all, condition(i))
	}
	return s.some(all, want)
}

// exactly satisfies a condition for exactly one element or, if that is not
// wanted, for none.
func (s *solver) exactly(count int, condition func(i int) term, want bool) bool {
	chosen := -1
	for i := range count {
		if v, ok := s.eval(condition(i)); ok && v == true && chosen < 0 {
			chosen = i
		}
	}
	if chosen < 0 && count > 0 {
		chosen = s.m.Rand.IntN(count)
	}
	ok := count > 0 || !want
	for i := range count {
		ok = s.satisfy(condition(i), want && i == chosen) && ok
	}
	return ok
}

// sorted sorts the scalars of a list, or reverses a sorted list.
func (s *solver) sorted(of term, want bool) bool {
	c := s.cell(of)
	if c == nil || s.keeping {
		return false
	}
	v, _ := c.value()
	list, _ := v.([]any)
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b any) int { order, _ := order(a, b); return order })
	if !want {
		slices.Reverse(list)
	}
	c.set(list)
	return true
}
