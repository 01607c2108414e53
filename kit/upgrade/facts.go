package upgrade

import (
	"regexp"
	"slices"
	"strings"

	"cel.dev/cel-go/common/operators"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/kit/celsyntax"
	"github.com/crdsem/crdsem/internal/kit/entail"
	"github.com/crdsem/crdsem/structural"
)

// mostFacts bounds what a proof looks at.
const mostFacts = 64

// collect adds what the old definition says of the nodes that the goal is
// about, of those around them, and of those that these facts are about.
func (l *logic) collect(s scope) {
	s.isGoal = false
	if l.isUpdate {
		l.sameKeys(s)
	}
	done := map[string]bool{}
	for grows := true; grows && len(l.facts) < mostFacts; {
		grows = false
		for _, path := range l.paths() {
			key := pathKey(path)
			if !done[key] {
				done[key], grows = true, true
				l.node(path, s)
			}
		}
	}
}

// paths returns the paths of all nodes that conditions are about, and of those
// around them, parents first.
func (l *logic) paths() (list [][]string) {
	found := map[string][]string{}
	add := func(path []string) {
		for i := range len(path) + 1 {
			found[pathKey(path[:i])] = path[:i]
		}
	}
	add(l.base)
	for _, path := range l.read {
		add(path)
	}
	for _, t := range l.terms {
		add(t.path)
	}
	for _, key := range jsonvalue.SortedKeys(found) {
		list = append(list, found[key])
	}
	slices.SortStableFunc(list, func(a, b []string) int { return len(a) - len(b) })
	return list
}

// node adds what the old definition says of the value at a path.
func (l *logic) node(path []string, s scope) {
	schema := l.old(path)
	if schema == nil {
		return
	}
	n := &branch{l: l, s: s, path: path, of: schema}
	whole := schema
	if schema == l.kind {
		whole = l.levels[len(l.levels)-1].old
	}
	for _, k := range keywordsOfFacts {
		l.fact(path, s, func() entail.Condition { return n.keyword(whole, k) })
	}
	if l.kind != nil && schema == l.kind {
		l.fact(path, s, func() entail.Condition { return n.format(whole) })
	}
	l.fact(path, s, func() entail.Condition { return l.unlike(path, s) })
	if l.isImpossible(whole, path) || l.isBeforeReplicas(whole, path) || l.isOutOfFormat(whole) {
		l.fact(path, s, func() entail.Condition { return l.never(path, s) })
	}
	for _, field := range whole.Values().Required {
		if l.isPruned(below(path, field), l.old) {
			l.fact(path, s, func() entail.Condition { return l.never(path, s) })
		}
	}
	for _, rule := range whole.Rules() {
		x := l.expressions.parse(rule.Rule)
		if x == nil || isOptional(rule) || isTransition(&rule) && !l.isUpdate {
			continue
		}
		inner := s.of(path)
		l.fact(path, s, func() entail.Condition {
			c := l.condition(x.root, inner)
			if isTransition(&rule) {
				return entail.Any(entail.Not(l.present(path, true, s)), c)
			}
			return c
		})
	}
}

// isImpossible reports whether an object at a path has to have more fields than
// it may have.
func (l *logic) isImpossible(s *structural.Schema, path []string) bool {
	low, high := l.judges.node(s).properties()
	return low > high && s.Type() == "object" && s.Values().Format == "" && len(path) > 0 &&
		!mayBeServers(path)
}

// isOutOfFormat reports whether a bound of integers is none of their format:
// the server refuses each of them then.
func (l *logic) isOutOfFormat(s *structural.Schema) bool {
	if s.Type() != "integer" || s.Values().Format == "" {
		return false
	}
	n := l.judges.node(s)
	low, high := n.width()
	isOut := func(bound *float64) bool { return bound != nil && (*bound < low || *bound > high) }
	return (isOut(s.Values().Minimum) || isOut(s.Values().Maximum)) && !n.accepts(int64(low)) &&
		!n.accepts(int64(1)) && !n.accepts(int64(0)) && !n.accepts(int64(high))
}

// isBeforeReplicas reports whether the scale subresource looks for a value
// below a path, where no value is an object: the server refuses each of them.
func (l *logic) isBeforeReplicas(s *structural.Schema, path []string) bool {
	isOther := func(step string) bool { return step == anyChild || strings.Contains(step, ".") }
	if s.Type() == "object" || s.Type() == "" && !s.IntOrString() ||
		slices.ContainsFunc(path, isOther) {
		return false
	}
	start := "." + strings.Join(path, ".") + "."
	return len(path) > 0 && slices.ContainsFunc(l.scaled, func(scaled string) bool {
		return strings.HasPrefix(scaled, start)
	})
}

// never returns the condition that there is no value at a path, where it may
// not be null.
func (l *logic) never(path []string, s scope) entail.Condition {
	if l.schema(name{path: path}, s) == nil {
		return nil
	}
	return entail.Constant(entail.False)
}

// fact adds what is said of a value, if there is one. What the definitions may
// read in two ways is left out.
func (l *logic) fact(path []string, s scope, of func() entail.Condition) {
	if len(l.facts) >= mostFacts {
		return
	}
	wasUnclear, sides := l.isUnclear, len(l.sides)
	l.isUnclear = false
	c := of()
	if c != nil && !l.isUnclear {
		l.facts = append(l.facts, entail.Any(entail.Not(l.present(path, false, s)), c))
	} else {
		l.sides = l.sides[:sides]
	}
	l.isUnclear = wasUnclear
}

// sameKeys adds that the items of lists which an update compares have equal
// keys.
func (l *logic) sameKeys(s scope) {
	for i, step := range l.base {
		if step != anyChild {
			continue
		}
		old, changed := l.old(l.base[:i]), l.changed(l.base[:i])
		if old == nil || changed == nil || old.ListType() != structural.ListMap ||
			!slices.Equal(old.ListMapKeys(), changed.ListMapKeys()) {
			continue
		}
		for _, key := range old.ListMapKeys() {
			path := below(l.base[:i+1], key)
			l.fact(path, s, func() entail.Condition {
				now, before := l.field(name{path, false}, s), l.field(name{path, true}, s)
				return l.compareTerms(now, before, orders[operators.Equals])
			})
		}
	}
}

// unlike returns the condition that the items of a list differ, if its type
// says so.
func (l *logic) unlike(path []string, s scope) entail.Condition {
	rule := l.uniqueness(l.old(path))
	if rule == nil {
		return nil
	}
	return l.condition(rule.root, s.of(path))
}

// uniqueness returns the rule that says the same as the type of a list, nil if
// none does: a key may have a name that CEL cannot write.
func (l *logic) uniqueness(s *structural.Schema) *expression {
	switch keys := s.ListMapKeys(); {
	case s.ListType() == structural.ListSet:
		return l.expressions.parse("self.all(x, self.exists_one(y, x == y))")
	case s.ListType() == structural.ListMap && len(keys) == 1:
		key := celsyntax.Name(keys[0])
		if !identifier.MatchString(key) {
			return nil
		}
		same := "x." + key + " == y." + key
		return l.expressions.parse("self.all(x, self.exists_one(y, " + same + "))")
	}
	return nil
}

// identifier matches a name of CEL.
var identifier = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
