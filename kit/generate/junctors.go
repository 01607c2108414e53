package generate

import (
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/kit/generate/internal/objectgen"
)

// addJunctor gives a node one of allOf, anyOf, oneOf and not. The branches have
// value validations only, as structural schemas require.
func (g *schemaWriter) addJunctor(n node, depth int) {
	if n["x-kubernetes-int-or-string"] == true {
		return
	}
	keyword := objectgen.Pick(g.r, "allOf", "anyOf", "oneOf", "not")
	if keyword == "not" {
		n["not"] = g.branch(n, depth)
		return
	}
	branches := []any{}
	for range g.between(1, 3) {
		branches = append(branches, g.branch(n, depth))
	}
	n[keyword] = branches
}

// branch makes a nested value validation that fits the type of its node.
func (g *schemaWriter) branch(of node, depth int) node {
	b := node{}
	switch of["type"] {
	case "string":
		g.stringLimits(b)
	case "integer", "number":
		typed := node{"type": of["type"]}
		g.numberLimits(typed)
		delete(typed, "type")
		b = typed
	case "array":
		g.countLimits(b, "minItems", "maxItems")
		if items, ok := of["items"].(node); ok && depth > 0 && g.chance(0.5) {
			b["items"] = g.branch(items, depth-1)
		}
	case "object":
		g.objectBranch(b, of, depth)
	default:
		b["enum"] = []any{objectgen.Pick[any](g.r, true, "a", int64(1))}
	}
	if g.chance(0.05) {
		b["enum"] = []any{g.scalar(of)}
	}
	if depth > 0 && g.chance(0.1) {
		g.addJunctor(b, depth-1)
	}
	return b
}

// objectBranch fills a branch of an object, along the object's properties.
func (g *schemaWriter) objectBranch(b, of node, depth int) {
	properties, ok := of["properties"].(node)
	if !ok || g.chance(0.2) {
		g.countLimits(b, "minProperties", "maxProperties")
		return
	}
	if g.chance(0.7) {
		b["required"] = g.someNames(properties)
	}
	if depth <= 0 || g.chance(0.4) {
		return
	}
	nested := node{}
	for _, name := range jsonvalue.SortedKeys(properties) {
		property, ok := properties[name].(node)
		if ok && g.chance(0.5) && name != "metadata" && name != "kind" && name != "apiVersion" {
			nested[name] = g.branch(property, depth-1)
		}
	}
	if len(nested) > 0 {
		b["properties"] = nested
	}
}
