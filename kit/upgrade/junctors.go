package upgrade

import (
	"slices"

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
	if values := old.finite(); values != nil && !slices.ContainsFunc(values,
		func(v any) bool { return old.accepts(v) && !changed.accepts(v) }) {
		return decided(false)
	}
	const most = 5
	branches := slices.Concat(from, to)
	below := hintsBelow(old, nil, branches)
	var hints []any
	try := func(v any) {
		if len(hints) < most && old.judges.ctx.Err() == nil && isRefused(v, old, changed, keyword) {
			hints = append(hints, v)
		}
	}
	for _, v := range valuesNear(old, branches) {
		try(v)
	}
	if len(hints) < most {
		for _, v := range append(old.listsAround(branches), old.samples(changed, below)...) {
			try(v)
		}
	}
	isYes := len(hints) > 0 && old.isJudgedAlone()
	hints = append(hints, below...)
	if isYes {
		return answer{yes, hints}
	}
	return answer{hints: hints}
}

// acceptsAll reports whether all branches of allOf surely accept what a node
// accepts. They have keywords of one scalar value.
func acceptsAll(n *node, branches []*structural.Schema) bool {
	if n.Nullable() || n.values.Format != "" { // what has a format may be of another type
		return false
	}
	return !slices.ContainsFunc(branches, func(s *structural.Schema) bool {
		return (!isFlat(s) || refusesKeywords(n, n.judges.node(s)) != no) && !acceptsLists(n, s)
	})
}

// acceptsLists reports whether a branch has nothing but a bound of items that
// no list of a node exceeds.
func acceptsLists(n *node, s *structural.Schema) bool {
	bound := s.Values().MaxItems
	if bound == nil {
		return false
	}
	only, err := structural.FromMap(map[string]any{"maxItems": *bound})
	return err == nil && structural.Equal(s, only) && float64(*bound) >= mostItems(n)
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
