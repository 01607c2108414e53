package generate

import (
	"math/rand/v2"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/kit/generate/internal/objectgen"
	"github.com/crdsem/crdsem/structural"
)

// SchemaConfig selects what schemas to make. The zero value makes small, valid,
// structural schemas without rules.
type SchemaConfig struct {
	// Depth is how deep properties and items may nest below those of the root;
	// 0 means 3.
	Depth int
	// Rules is the probability that a node has x-kubernetes-validations.
	Rules float64
	// Flaws is the probability that a node breaks a rule of structural schemas,
	// or has a keyword with a wrong value.
	Flaws float64
}

// node is an object of a schema document that is being written. Documents stay
// raw maps: one with flaws may not convert to a *structural.Schema.
type node = map[string]any

// Schema makes the openAPIV3Schema of a version as decoded JSON.
func Schema(r *rand.Rand, config SchemaConfig) map[string]any {
	if config.Depth <= 0 {
		config.Depth = 3
	}
	g := &schemaWriter{r: r, config: config}
	root := node{"type": "object"}
	properties := node{}
	if objectgen.Chance(r, 0.9) {
		properties["spec"] = g.node(config.Depth)
	}
	if objectgen.Chance(r, 0.4) {
		properties["status"] = g.object(config.Depth - 1)
	}
	if objectgen.Chance(r, 0.2) {
		g.addTypeMeta(properties)
	}
	if objectgen.Chance(r, 0.15) {
		properties[g.name()] = g.node(config.Depth - 1)
	}
	if len(properties) > 0 {
		root["properties"] = properties
	}
	if objectgen.Chance(r, 0.08) {
		root["x-kubernetes-preserve-unknown-fields"] = true
	}
	if objectgen.Chance(r, 0.2) {
		root["required"] = g.someNames(properties)
	}
	if objectgen.Chance(r, 0.1) {
		g.addJunctor(root, 2)
	}
	g.finish(root)
	return root
}

// schemaWriter writes the nodes of one schema.
type schemaWriter struct {
	r      *rand.Rand
	config SchemaConfig
}

// addTypeMeta adds the properties that every resource has.
func (g *schemaWriter) addTypeMeta(properties node) {
	properties["apiVersion"] = node{"type": "string"}
	properties["kind"] = node{"type": "string"}
	metadata := node{"type": "object"}
	if g.chance(0.3) {
		name := node{"type": "string"}
		g.stringLimits(name)
		metadata["properties"] = node{"name": name}
	}
	properties["metadata"] = metadata
}

// propertyNames are the names that properties get. They are few, so that
// objects, rules and old objects have names in common. Some need care in paths,
// patterns and rules.
var propertyNames = []string{
	"a", "b", "c", "name", "value", "items", "type", "replicas", "metadata", "kind", "apiVersion",
	"if", "in", "namespace", "x-y", "a.b", "a/b", "é", "_", "__x__", "0", "A", "default",
}

func (g *schemaWriter) name() string {
	if g.chance(0.7) {
		return propertyNames[g.r.IntN(6)]
	}
	return objectgen.Pick(g.r, propertyNames...)
}

// someNames lists some names of properties and, seldom, another name.
func (g *schemaWriter) someNames(properties node) []any {
	list := []any{}
	for _, name := range jsonvalue.SortedKeys(properties) {
		if g.chance(0.4) {
			list = append(list, name)
		}
	}
	if len(list) == 0 || g.chance(0.05) {
		list = append(list, g.name())
	}
	return list
}

// node makes a node of any type.
func (g *schemaWriter) node(depth int) node {
	if depth <= 0 {
		return g.leaf()
	}
	switch g.r.IntN(10) {
	case 0, 1, 2, 3:
		return g.object(depth)
	case 4, 5:
		return g.array(depth)
	case 6:
		return g.dictionary(depth)
	}
	return g.leaf()
}

// leaf makes a node without children.
func (g *schemaWriter) leaf() node {
	n := node{}
	switch g.r.IntN(12) {
	case 0, 1, 2, 3:
		n["type"] = "string"
		g.stringLimits(n)
	case 4, 5, 6:
		n["type"] = "integer"
		g.numberLimits(n)
	case 7, 8:
		n["type"] = "number"
		g.numberLimits(n)
	case 9:
		n["type"] = "boolean"
	case 10:
		g.intOrString(n)
	case 11:
		n["x-kubernetes-preserve-unknown-fields"] = true
		if g.chance(0.6) {
			n["type"] = "object"
		}
	}
	g.decorate(n)
	return n
}

// object makes a node with properties.
func (g *schemaWriter) object(depth int) node {
	properties := node{}
	for range g.between(1, 4) {
		properties[g.name()] = g.node(depth - 1)
	}
	n := node{"type": "object", "properties": properties}
	if g.chance(0.35) {
		n["required"] = g.someNames(properties)
	}
	if g.chance(0.1) {
		n["x-kubernetes-preserve-unknown-fields"] = true
	}
	if g.chance(0.07) {
		n["x-kubernetes-map-type"] = objectgen.Pick(g.r, "granular", "atomic")
	}
	if g.chance(0.08) {
		n["x-kubernetes-embedded-resource"] = true
		if g.chance(0.7) {
			n["x-kubernetes-preserve-unknown-fields"] = true
		}
		g.addTypeMeta(properties)
	}
	g.countLimits(n, "minProperties", "maxProperties")
	g.decorate(n)
	return n
}

// dictionary makes a node with additionalProperties.
func (g *schemaWriter) dictionary(depth int) node {
	n := node{"type": "object", "additionalProperties": g.node(depth - 1)}
	if g.chance(0.06) {
		n["additionalProperties"] = g.chance(0.8)
	}
	g.countLimits(n, "minProperties", "maxProperties")
	g.decorate(n)
	return n
}

// array makes a node with items, of any list type.
func (g *schemaWriter) array(depth int) node {
	n := node{"type": "array"}
	switch g.r.IntN(6) {
	case 0:
		n["x-kubernetes-list-type"] = "set"
		n["items"] = g.setItem(depth)
	case 1, 2:
		n["x-kubernetes-list-type"] = "map"
		n["items"], n["x-kubernetes-list-map-keys"] = g.mapItem(depth)
	case 3:
		n["x-kubernetes-list-type"] = "atomic"
		n["items"] = g.node(depth - 1)
	default:
		n["items"] = g.node(depth - 1)
	}
	g.countLimits(n, "minItems", "maxItems")
	if g.chance(0.03) {
		n["uniqueItems"] = false
	}
	g.decorate(n)
	return n
}

// setItem makes the items of a set: scalars, or atomic values.
func (g *schemaWriter) setItem(depth int) node {
	item := g.leaf()
	if g.chance(0.15) {
		item = g.node(depth - 1)
		switch item["type"] {
		case "object":
			item["x-kubernetes-map-type"] = "atomic"
		case "array":
			item["x-kubernetes-list-type"] = "atomic"
			delete(item, "x-kubernetes-list-map-keys")
		}
	}
	delete(item, "nullable")
	delete(item, "default")
	return item
}

// mapItem makes the items of a list-map, and the names of its keys.
func (g *schemaWriter) mapItem(depth int) (node, []any) {
	item := g.object(depth - 1)
	delete(item, "nullable")
	delete(item, "default")
	properties, ok := item["properties"].(node)
	if !ok { // a flaw removed them
		properties = node{}
	}
	keys := []any{}
	required := []any{}
	for _, key := range []string{"name", "value"}[:g.between(1, 2)] {
		property := node{"type": objectgen.Pick(g.r, "string", "integer", "string", "boolean")}
		if g.chance(0.3) {
			property["default"] = g.scalar(property)
		} else {
			required = append(required, key)
		}
		properties[key] = property
		keys = append(keys, key)
	}
	if len(required) > 0 {
		item["required"] = required
	}
	return item, keys
}

// finish adds rules and flaws to a node; it is the last step.
func (g *schemaWriter) finish(n node) {
	if g.chance(g.config.Rules) {
		g.addRules(n)
	}
	if g.chance(g.config.Flaws) {
		g.addFlaw(n)
	}
}

// decorate adds keywords that any node may have.
func (g *schemaWriter) decorate(n node) {
	if g.chance(0.12) {
		n["nullable"] = g.chance(0.85)
	}
	if g.chance(0.05) {
		n["description"] = "a description"
	}
	if g.chance(0.02) {
		n["title"] = "a title"
	}
	if g.chance(0.02) {
		n["example"] = g.scalar(n)
	}
	if g.chance(0.02) {
		n["externalDocs"] = node{"url": "https://example.com", "description": "d"}
	}
	if g.chance(0.1) {
		g.addJunctor(n, 2)
	}
	if g.chance(0.2) {
		g.addDefault(n)
	}
	g.finish(n)
}

// addDefault gives a node a default that is valid most of the time.
func (g *schemaWriter) addDefault(n node) {
	m := &objectgen.Maker{Rand: g.r, Kind: objectgen.Valid}
	if g.chance(0.08) {
		m.Kind = objectgen.Wild
	}
	schema, err := structural.FromMap(n)
	if err != nil {
		schema = nil // A flaw below the node does not convert: take any value.
	}
	v := m.New(objectgen.NodeOf(schema), nil)
	if v == nil && n["nullable"] != true && g.chance(0.9) {
		return
	}
	n["default"] = v
}

// scalar makes a plain value of a node's type.
func (g *schemaWriter) scalar(n node) any {
	typ, _ := n["type"].(string) // a flaw may have made it something else
	return objectgen.ScalarOf(g.r, typ)
}

func (g *schemaWriter) chance(p float64) bool { return objectgen.Chance(g.r, p) }

func (g *schemaWriter) between(low, high int) int { return objectgen.Between(g.r, low, high) }
