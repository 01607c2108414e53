package upgrade

import (
	"slices"

	"github.com/crdsem/crdsem/defaulting"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/kit/entail"
	"github.com/crdsem/crdsem/structural"
)

// decides is like proves. It returns what objects are like for which the
// condition may not hold. One that is not understood holds if no object is
// admitted.
func (l *logic) decides(goal entail.Condition, s scope) (bool, []example) {
	if goal == nil || l.isUnclear {
		goal, l.isUnclear = entail.Constant(entail.False), false
	}
	isProved, models := l.proves(goal, s)
	var examples []example
	for _, m := range models {
		examples = append(examples, l.example(m))
	}
	return isProved, examples
}

// impliesKeyword reports whether the old definition makes a new keyword of the
// node hold. Otherwise it returns objects for which it may not.
func (c *schemaComparison) impliesKeyword(keyword string, is any) (bool, []example) {
	last := len(c.levels) - 1
	if keyword == "required" {
		field, isText := is.(string)
		if !isText || last < 1 || c.levels[last-1].old == nil {
			return false, nil
		}
		l := c.logic(c.levels[:last])
		l.nonNull = len(l.base)
		s := scope{isGoal: true}.of(l.base)
		around := &branch{l, s, l.base, c.levels[last-1].old}
		return l.decides(around.required(field), s)
	}
	return c.holdsAt(c.levels, keyword)
}

// holdsAt decides whether the first definition of a node makes a keyword hold
// that the second one has, for values of each type and for null.
func (c *schemaComparison) holdsAt(levels []level, keyword string) (bool, []example) {
	last := levels[len(levels)-1]
	old, changed := last.old, last.new
	if old == nil || changed == nil || old.IntOrString() != changed.IntOrString() ||
		old.Type() != changed.Type() && changed.Type() != "" {
		return false, nil
	}
	isFilled := c.takesDefault(old, changed)
	for _, kind := range kindsOf(old) {
		l := c.logic(levels)
		l.kind, l.nonNull, l.isWritten = kind, len(l.base), isFilled
		if isImplied, examples := l.keyword(changed, keyword); !isImplied {
			return false, examples
		}
	}
	was, is := c.judges.node(old), c.judges.node(changed)
	isNull := (old.Nullable() && changed.Nullable() || old.Type() == "") &&
		was.accepts(nil) && !is.accepts(nil)
	return !isNull, []example{{object: []placed{{path: rulePath(levels[1:])}}}}
}

// takesDefault reports whether the new definition of a node fills in another
// value than the old one, or none, which it accepts.
func (c *schemaComparison) takesDefault(old, changed *structural.Schema) bool {
	is := c.judges.node(changed)
	if isSameDefault(c.judges.node(old), is) {
		return false
	}
	value := jsonvalue.DeepCopy(changed.Default())
	defaulting.Default(value, changed)
	return changed.Default() == nil || is.accepts(value)
}

// kindsOf returns schemas that stand for a node, one for each type that its
// values may have besides null. The only one is nil if it has one type.
func kindsOf(s *structural.Schema) (list []*structural.Schema) {
	types := []string{s.Type()}
	switch format := s.Values().Format; {
	case s.HasProperties() || s.AdditionalProperties() != nil || s.Items() != nil:
		return []*structural.Schema{nil}
	case s.IntOrString():
		types = []string{"integer", "string"}
	case s.Type() == "":
		types = []string{"string", "number", "boolean", "array", "object"}
	case format != "" && s.Type() != "integer" && s.Type() != "number":
		types = append(types, "string", "array") // the type is not checked (VAL-022)
	default:
		return []*structural.Schema{nil}
	}
	for _, kind := range types {
		keywords := map[string]any{"type": kind}
		if kind == "object" && s.PreservesUnknownFields() {
			keywords["x-kubernetes-preserve-unknown-fields"] = true
		}
		one, err := structural.FromMap(keywords)
		if err != nil {
			return []*structural.Schema{nil}
		}
		list = append(list, one)
	}
	return list
}

// keyword decides whether a keyword holds that the new definition of the node
// has.
func (l *logic) keyword(changed *structural.Schema, keyword string) (bool, []example) {
	s := scope{isGoal: true}.of(l.base)
	switch keyword {
	case "exclusiveMaximum":
		keyword = "maximum"
	case "exclusiveMinimum":
		keyword = "minimum"
	case "x-kubernetes-list-type", "x-kubernetes-list-map-keys":
		if rule := l.uniqueness(changed); rule != nil {
			return l.decides(l.condition(rule.root, s), s)
		}
		return false, nil
	}
	n := &branch{l, s, l.base, l.old(l.base)}
	goal := n.keyword(changed, keyword)
	if goal == nil && n.isForeign(keyword) {
		goal = entail.Constant(entail.True)
	}
	return l.decides(goal, s)
}

// isRefusedAfter reports whether the new definition still refuses all that an
// enum of the old one did: readers meet no value that is new.
func (c *schemaComparison) isRefusedAfter(d difference) bool {
	if d.keyword != "enum" {
		return false
	}
	isImplied, _ := c.holdsAt(turnedLevels(c.levels), d.keyword)
	return isImplied
}

// defaultPair is what both definitions read where a field is absent; nil if
// that is nothing.
type defaultPair struct{ old, new any }

// scopes returns, for each way in which the field at a path may be absent from
// an object or from the stored one, the scopes of the new definition and of the
// old one.
func (d *defaultPair) scopes(path []string, isTransition bool) (list [][2]scope) {
	key := pathKey(path)
	given := func(value any) map[string]any {
		if value == nil {
			value = removed{}
		}
		return map[string]any{key: value}
	}
	has := map[string]any{key: explicit{}}
	list = append(list, [2]scope{
		{given: given(d.new), givenOld: given(d.new)},
		{given: given(d.old), givenOld: given(d.old)},
	})
	if isTransition {
		list = append(list,
			[2]scope{{given: given(d.new), givenOld: has}, {given: given(d.old), givenOld: has}},
			[2]scope{{given: has, givenOld: given(d.new)}, {given: has, givenOld: given(d.old)}})
	}
	return list
}

// isHarmless reports whether a rule at a level is true of every object in which
// the new default, or none, is filled in at a path.
func (c *schemaComparison) isHarmless(level int, path []string, rule *structural.Rule) bool {
	x := c.expressions.parse(rule.Rule)
	isOfMap := len(path) > 0 &&
		schemaAt(c.levels[level].new, nodeOf(path[:len(path)-1])).Items() == nil
	if c.given == nil || isOptional(*rule) || isOfMap && x.counts(path) {
		return false
	}
	value := c.given.new
	if value != nil && value != any(explicitNull{}) && len(path) > 0 && !isTransition(rule) &&
		!slices.Contains(path, anyChild) {
		p := c.prover(level + 1)
		p.fixed = map[string]any{pathKey(path): value}
		if isScalar(value) && p.prove(rule.Rule) {
			return true
		}
	}
	isNull := c.given.old == any(explicitNull{}) && c.given.new == nil ||
		c.given.new == any(explicitNull{}) && c.given.old == nil
	if isNull && !x.seesNull(path) && c.hasSame(level, rule) {
		return true
	}
	return x != nil && c.holdsGiven(level, path, isTransition(rule),
		func(l *logic, s scope) entail.Condition { return l.condition(x.root, s) })
}

// hasSame reports whether the old definition has a rule at a level as well.
func (c *schemaComparison) hasSame(level int, rule *structural.Rule) bool {
	old := c.levels[level].old
	return old != nil && slices.ContainsFunc(old.Rules(), func(r structural.Rule) bool {
		return r.Rule == rule.Rule && isOptional(r) == isOptional(*rule)
	})
}

func isScalar(v any) bool {
	switch v.(type) {
	case map[string]any, []any:
		return false
	}
	return true
}

// isHarmlessJunctor is like isHarmless, for a junctor.
func (c *schemaComparison) isHarmlessJunctor(
	level int, path []string, of *structural.Schema, keyword string,
) bool {
	if c.given == nil || c.levels[level].old == nil {
		return false
	}
	return c.holdsGiven(level, path, false, func(l *logic, s scope) entail.Condition {
		n := &branch{l, s, l.base, c.levels[level].old}
		return n.keyword(of, keyword)
	})
}

func (c *schemaComparison) holdsGiven(
	level int, path []string, isTransition bool, condition func(*logic, scope) entail.Condition,
) bool {
	if c.levels[level].old == nil {
		return false
	}
	levels := c.levels[:level+1]
	at := slices.Concat(rulePath(levels[1:]), path)
	for _, s := range c.given.scopes(at, isTransition) {
		l := c.logic(levels)
		l.isUpdate = isTransition
		s[0].isGoal = true
		isProved, examples := l.decides(condition(l, s[0].of(l.base)), s[1])
		if isProved {
			continue
		}
		for _, e := range examples {
			e.object = append(e.object, placed{path: at, value: c.given.raw(s[0].given)})
			e.old = append(e.old, placed{path: at, value: c.given.raw(s[0].givenOld)})
			c.examples = append(c.examples, e)
		}
		return false
	}
	return true
}

// raw returns what an example has at the only path of what is given, before
// the definitions read it.
func (d *defaultPair) raw(given map[string]any) any {
	isNull := d.old == any(explicitNull{}) || d.new == any(explicitNull{})
	for _, value := range given {
		switch {
		case value == any(explicit{}):
			return anyValue{}
		case isNull:
			return nil
		}
	}
	return removed{}
}
