package upgrade

import (
	"slices"
	"strings"

	"github.com/crdsem/crdsem/structural"
)

// compareJunctors compares allOf, anyOf, oneOf and not by their branches.
func compareJunctors(old, changed *node) []difference {
	var found []difference
	a, b := old.values, changed.values
	for _, j := range []struct {
		keyword  string
		old, new []*structural.Schema
	}{
		{"allOf", a.AllOf, b.AllOf}, {"anyOf", a.AnyOf, b.AnyOf},
		{"oneOf", a.OneOf, b.OneOf}, {"not", one(a.Not), one(b.Not)},
	} {
		if slices.EqualFunc(j.old, j.new, structural.Equal) {
			continue
		}
		found = append(found, difference{
			keyword: j.keyword, old: branches(j.old), new: branches(j.new),
			refuses: refusesByBranches(j.keyword, old, changed, j.old, j.new),
			accepts: refusesByBranches(j.keyword, changed, old, j.new, j.old),
		})
	}
	return found
}

// refusesByBranches answers whether new branches refuse what old ones accept.
func refusesByBranches(
	keyword string, old, changed *node, from, to []*structural.Schema,
) answer {
	within := func(list, other []*structural.Schema) bool {
		return !slices.ContainsFunc(list, func(s *structural.Schema) bool {
			return !slices.ContainsFunc(other, func(o *structural.Schema) bool {
				return structural.Equal(s, o)
			})
		})
	}
	switch {
	case len(to) == 0, changed.IntOrString() && isIntOrString(to),
		keyword == "allOf" && within(to, from),
		keyword == "anyOf" && len(from) > 0 && within(from, to),
		keyword == "allOf" && acceptsAll(old, to):
		return decided(false)
	}
	var hints []any
	for _, v := range valuesNear(old, slices.Concat(from, to)) {
		if old.accepts(v) && !changed.accepts(v) {
			hints = append(hints, v)
		}
	}
	hints = hints[:min(len(hints), 5)]
	return answer{hints: append(hints, hintsBelow(old, nil, slices.Concat(from, to))...)}
}

// acceptsAll reports whether all branches of allOf surely accept what a node
// accepts. They have keywords of one scalar value.
func acceptsAll(n *node, branches []*structural.Schema) bool {
	if n.Nullable() || n.values.Format != "" { // what has a format may be of another type
		return false
	}
	return !slices.ContainsFunc(branches, func(s *structural.Schema) bool {
		return !isFlat(s) || refusesKeywords(n, n.judges.node(s)) != no
	})
}

// isFlat reports whether a branch has nothing but an enum, or nothing but
// bounds and patterns of scalar values.
func isFlat(s *structural.Schema) bool {
	keywords, v := map[string]any{}, s.Values()
	for _, k := range keywordsOfScalars {
		if value := k.value(v); !isAbsent(value) && k.name != "format" {
			keywords[k.name] = value
		}
	}
	if len(v.Enum) > 0 {
		keywords = map[string]any{"enum": v.Enum}
	}
	only, err := structural.FromMap(keywords)
	return err == nil && structural.Equal(s, only)
}

// deeper is a hint: a value at a place below the node, or its removal.
type deeper struct {
	node  []string
	value any
}

// hintsBelow returns values below a node for which branches may make a
// difference.
func hintsBelow(n *node, at []string, branches []*structural.Schema) (hints []any) {
	child := func(step string, s, of *structural.Schema) {
		if s == nil || of == nil {
			return
		}
		place, values := append(slices.Clone(at), step), n.judges.node(of)
		for _, v := range valuesNear(values, []*structural.Schema{s}) {
			if values.accepts(v) {
				hints = append(hints, deeper{place, v})
			}
		}
		hints = append(hints, hintsBelow(values, place, []*structural.Schema{s})...)
	}
	for _, s := range branches {
		v := s.Values()
		for _, name := range v.Required {
			hints = append(hints, deeper{append(slices.Clone(at), memberStep+name), removed{}})
		}
		for name, property := range s.Properties() {
			child(memberStep+name, property, n.Property(name))
		}
		child(itemStep, s.Items(), n.Items())
		child(valueStep, s.AdditionalSchema(), n.AdditionalSchema())
		hints = append(hints,
			hintsBelow(n, at, slices.Concat(v.AllOf, v.AnyOf, v.OneOf, one(v.Not)))...)
	}
	return hints
}

// valuesNear returns values for which branches may make a difference.
func valuesNear(n *node, branches []*structural.Schema) []any {
	values := []any{"", "x", true, false, nil, []any{}, map[string]any{}}
	near := []*node{n}
	for _, s := range branches {
		near = append(near, n.judges.node(s))
		enum := s.Values().Enum
		values = append(values, enum[:min(len(enum), 10)]...)
		values = append(values, textsAround(s.Values())...)
		for _, name := range s.Values().Required {
			values = append(values,
				map[string]any{name: ""}, map[string]any{name: map[string]any{}})
		}
	}
	return append(values, numbers(near...)...)
}

// textsAround returns strings of the lengths around the bounds of a branch.
func textsAround(v *structural.ValueValidation) (texts []any) {
	const most = 1 << 8
	for _, bound := range []*int64{v.MinLength, v.MaxLength} {
		for length := valueOr(bound, 0) - 1; bound != nil && length <= *bound+1; length++ {
			if length >= 0 && length <= most {
				texts = append(texts, strings.Repeat("x", int(length)))
			}
		}
	}
	return texts
}

// isIntOrString reports whether branches are the types integer and string, as
// tools write them next to x-kubernetes-int-or-string.
func isIntOrString(list []*structural.Schema) bool {
	types := []string{}
	for _, s := range list {
		types = append(types, s.Type())
	}
	slices.Sort(types)
	return slices.Equal(types, []string{"integer", "string"}) &&
		!slices.ContainsFunc(list, func(s *structural.Schema) bool {
			only, err := structural.FromMap(map[string]any{"type": s.Type()})
			return err != nil || !structural.Equal(s, only)
		})
}

func one(s *structural.Schema) []*structural.Schema {
	if s == nil {
		return nil
	}
	return []*structural.Schema{s}
}

// branches stands for the branches of a junctor in a report: their number.
func branches(list []*structural.Schema) any {
	if len(list) == 0 {
		return nil
	}
	return int64(len(list))
}
