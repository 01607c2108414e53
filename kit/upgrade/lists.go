package upgrade

import (
	"cmp"
	"slices"

	"github.com/crdsem/crdsem/structural"
)

// listsAndMaps compares the types of lists and maps and the keys of list maps.
// Merging differs with each of them, and sets and maps refuse duplicates.
func (c *schemaComparison) listsAndMaps(old, changed *node) {
	was, is := listType(old.Schema), listType(changed.Schema)
	keys, newKeys := old.ListMapKeys(), changed.ListMapKeys()
	d := difference{keyword: "x-kubernetes-list-type", old: string(was), new: string(is)}
	if was == is {
		d = difference{keyword: "x-kubernetes-list-map-keys", old: names(keys), new: names(newKeys)}
	}
	if was != is || !slices.Equal(keys, newKeys) {
		d.refuses, d.accepts = refusesByListType(old, changed), refusesByListType(changed, old)
		d.refuses.hints = []any{duplicate{}}
		d.accepts.hints = d.refuses.hints
		if d.refuses.verdict != no || d.accepts.verdict != no {
			c.restriction(d)
		}
		c.add(d.change(ChangesMerging))
		if rule := c.comparedWhole(was, is); was != is && rule != "" {
			added := c.add(d.change(Stricter))
			added.Decided, added.Message = false, "lists are compared in another way by "+rule
		}
	}
	if a, b := mapType(old.Schema), mapType(changed.Schema); a != b {
		d := difference{keyword: "x-kubernetes-map-type", old: string(a), new: string(b)}
		c.add(d.change(ChangesMerging))
	}
}

func listType(s *structural.Schema) structural.ListType {
	return cmp.Or(s.ListType(), structural.ListAtomic)
}

func mapType(s *structural.Schema) structural.MapType {
	return cmp.Or(s.MapType(), structural.MapGranular)
}

// hasOther reports whether a list has a name that another one lacks.
func hasOther(list, other []string) bool {
	isOther := func(name string) bool { return !slices.Contains(other, name) }
	return slices.ContainsFunc(list, isOther)
}

func names(list []string) any {
	values := make([]any, len(list))
	for i, name := range list {
		values[i] = name
	}
	return values
}
