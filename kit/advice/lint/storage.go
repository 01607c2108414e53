package lint

import (
	"maps"
	"slices"
)

// lost looks for fields of served versions that the storage version lacks.
// Without conversion the server removes them from each object that is written.
func (w *walk) lost(spec map[string]any, trees []*node) {
	conversion, _ := spec["conversion"].(map[string]any)
	if strategy, _ := conversion["strategy"].(string); strategy != "" && strategy != "None" {
		return
	}
	versions := branchesOf(spec, "versions")
	stored := slices.IndexFunc(versions, func(v map[string]any) bool {
		return v["storage"] == true
	})
	if stored < 0 {
		return
	}
	for i, v := range versions {
		if i != stored && v["served"] == true {
			w.lostBelow(trees[i], trees[stored], versions[stored]["name"])
		}
	}
}

func (w *walk) lostBelow(n, stored *node, version any) {
	if n == nil || stored == nil || w.ctx.Err() != nil {
		return
	}
	if here, there := n.doc["type"], stored.doc["type"]; here != there {
		if here != nil && there != nil && (here != "integer" || there != "number") {
			w.add("LINT-storage", n.at, "give the field one type in all versions, or convert by "+
				"a webhook",
				"the type is %v in the storage version %v, and there is no conversion: what is "+
					"written here is no valid value there", there, version)
		}
		return
	}
	properties, _ := n.doc["properties"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		child, kept := n.property(name), stored.property(name)
		switch {
		case child == nil || n.isObject() && name == "metadata":
		case kept != nil:
			w.lostBelow(child, kept, version)
		case stored.isOpen():
		default:
			w.add("LINT-storage", child.at, "declare the field in the storage version too, or "+
				"convert by a webhook",
				"the storage version %v lacks the field, and there is no conversion: the server "+
					"removes it from each object that is written", version)
		}
	}
	if n.isOpen() && !stored.isOpen() {
		w.add("LINT-storage", n.at, "declare the fields in the storage version too, or convert "+
			"by a webhook", "fields of any name are kept here, in the storage version %v only "+
			"those that it declares, and there is no conversion: the server removes the others "+
			"from each object that is written", version)
	}
	for _, keyword := range []string{"items", "additionalProperties"} {
		w.lostBelow(n.child(keyword), stored.child(keyword), version)
	}
}
