package upgrade

import (
	"cmp"
	"fmt"
	"slices"
)

// Group is the changes of one cause, e.g. all lists that became maps.
type Group struct {
	// Severity and Affects are those of every change of the group.
	Severity Severity
	Affects  []Audience
	// Words says what the changes have in common, e.g. "a default is new".
	Words string
	// Changes are in the order of the report. One that a witness shows comes
	// first.
	Changes []*Change
}

// Groups returns changes by their causes: the most severe ones first, and of
// one severity in the order of the audiences: writers, stored objects, readers,
// server-side apply. Among those the ones that are nearest to the root come
// first: what is far below is often the type of another API, e.g. of a pod.
func Groups(changes []*Change) []*Group {
	var list []*Group
	found := map[string]*Group{}
	for _, c := range changes {
		words, affects := c.words(false), c.Affects()
		key := fmt.Sprint(c.Severity, affects, c.From != "", words, c.Reason)
		g := found[key]
		if g == nil {
			g = &Group{Severity: c.Severity, Affects: affects, Words: words}
			found[key], list = g, append(list, g)
		}
		g.Changes = append(g.Changes, c)
	}
	for _, g := range list {
		slices.SortStableFunc(g.Changes, func(a, b *Change) int {
			return cmp.Compare(rankOf(a.Witness != nil), rankOf(b.Witness != nil))
		})
		if len(g.Changes) == 1 {
			g.Words = g.Changes[0].Words()
		}
	}
	slices.SortStableFunc(list, func(a, b *Group) int {
		return cmp.Or(
			cmp.Compare(severityRank(a.Severity), severityRank(b.Severity)),
			cmp.Compare(audienceRank(a), audienceRank(b)),
			cmp.Compare(depth(a), depth(b)))
	})
	return list
}

func rankOf(comesFirst bool) int {
	if comesFirst {
		return 0
	}
	return 1
}

func severityRank(s Severity) int {
	return slices.Index([]Severity{Breaking, Undecided, Notable, Fine}, s)
}

// audienceRank returns the place of the first audience that a group affects.
func audienceRank(g *Group) int {
	order := []Audience{Writers, StoredObjects, Readers, Merging}
	if len(g.Affects) == 0 {
		return len(order)
	}
	return slices.Index(order, g.Affects[0])
}

// depth returns how far below the root the first change of a group is, in steps
// of four: of those that are about as deep the order is that of the report.
func depth(g *Group) int {
	const step = 4
	least := len(g.Changes[0].target.node)
	for _, c := range g.Changes {
		least = min(least, len(c.target.node))
	}
	return least / step
}
