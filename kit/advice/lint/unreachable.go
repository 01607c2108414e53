package lint

import (
	"maps"
	"slices"
)

// unreachable looks for declared fields that the junctors of a node forbid in
// every object.
func (w *walk) unreachable(n *node) {
	junctors := maps.Clone(n.doc)
	delete(junctors, "properties")
	for _, at := range slices.Sorted(maps.Keys(n.excluded(junctors))) {
		w.add("LINT-unreachable", at, "remove the field, or fix the junctors of "+n.at,
			"no object can have the field: what `allOf`, `anyOf`, `oneOf` and `not` of %s ask for "+
				"excludes it", n.at)
	}
}

// places are paths of nodes.
type places map[string]bool

// excluded returns the fields below a node that no value has for which a branch
// holds. What it returns is certain, and not all that there is.
func (n *node) excluded(branch map[string]any) places {
	found := places{}
	not, _ := branch["not"].(map[string]any)
	for _, name := range sufficient(not) {
		if property := n.property(name); property != nil {
			found[property.at] = true
		}
	}
	properties, _ := branch["properties"].(map[string]any)
	for name, value := range properties {
		property := n.property(name)
		doc, _ := value.(map[string]any)
		if doc == nil || property == nil {
			continue
		}
		if hasOtherEnum(property.doc, doc) || excludedBounds(property.doc, doc) != "" {
			found[property.at] = true
		}
		maps.Copy(found, property.excluded(doc))
	}
	for _, b := range branchesOf(branch, "allOf") {
		maps.Copy(found, n.excluded(b))
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		maps.Copy(found, n.excludedByAll(branchesOf(branch, keyword)))
	}
	return found
}

// excludedByAll returns the fields that each of some branches excludes.
func (n *node) excludedByAll(branches []map[string]any) places {
	var common places
	for _, b := range branches {
		found := n.excluded(b)
		if common == nil {
			common = found
		}
		maps.DeleteFunc(common, func(at string, _ bool) bool { return !found[at] })
	}
	return common
}

// sufficient returns the fields each of which a schema asks for alone, so that
// it holds for every value that has one of them.
func sufficient(doc map[string]any) []string {
	required := texts(doc["required"])
	switch {
	case len(doc) != 1 || len(required) > 1:
		return nil
	case len(required) == 1:
		return required
	}
	var names []string
	for _, b := range branchesOf(doc, "anyOf") {
		names = append(names, sufficient(b)...)
	}
	return names
}
