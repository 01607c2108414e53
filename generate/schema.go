package generate

// SchemaConfig says what schemas to make. The zero value makes small, valid,
// structural schemas without rules.
type SchemaConfig struct {
	// Depth is how deep properties and items may nest below the root's; 0 means 3.
	Depth int
	// Rules is the probability that a node has x-kubernetes-validations.
	Rules float64
	// Flaws is the probability that a node breaks a structural rule or a keyword's
	// own demands.
	Flaws float64
}

// node is an object of a schema.
type node = map[string]any

// Schema makes the openAPIV3Schema of a custom resource's version.
func Schema(r *Rand, config SchemaConfig) map[string]any {
	if config.Depth <= 0 {
		config.Depth = 3
	}
	g := &schemas{r: r, config: config}
	root := node{"type": "object"}
	properties := node{}
	if r.chance(0.9) {
		properties["spec"] = g.node(config.Depth)
	}
	if r.chance(0.4) {
		properties["status"] = g.object(config.Depth - 1)
	}
	if r.chance(0.2) {
		g.addTypeMeta(properties)
	}
	if r.chance(0.15) {
		properties[g.name()] = g.node(config.Depth - 1)
	}
	if len(properties) > 0 {
		root["properties"] = properties
	}
	if r.chance(0.08) {
		root["x-kubernetes-preserve-unknown-fields"] = true
	}
	if r.chance(0.2) {
		root["required"] = g.someNames(properties)
	}
	if r.chance(0.1) {
		g.addJunctor(root, 2)
	}
	g.finish(root)
	return root
}

// schemas makes the nodes of one schema.
type schemas struct {
	r      *Rand
	config SchemaConfig
}

// addTypeMeta adds the properties that every resource has.
func (g *schemas) addTypeMeta(properties node) {
	properties["apiVersion"] = node{"type": "string"}
	properties["kind"] = node{"type": "string"}
	metadata := node{"type": "object"}
	if g.r.chance(0.3) {
		name := node{"type": "string"}
		g.stringLimits(name)
		metadata["properties"] = node{"name": name}
	}
	properties["metadata"] = metadata
}

// propertyNames are the names that properties get: few, so that objects, rules and
// old objects meet, and some that need care in paths, patterns and rules.
var propertyNames = []string{"a", "b", "c", "name", "value", "items", "type", "replicas", "metadata", "kind", "apiVersion",
	"if", "in", "namespace", "x-y", "a.b", "a/b", "é", "_", "__x__", "0", "A", "default"}

func (g *schemas) name() string {
	if g.r.chance(0.7) {
		return propertyNames[g.r.Intn(6)]
	}
	return pick(g.r, propertyNames...)
}

// someNames lists some of the names of properties, and seldom another one.
func (g *schemas) someNames(properties node) []any {
	list := []any{}
	for _, name := range names(properties) {
		if g.r.chance(0.4) {
			list = append(list, name)
		}
	}
	if len(list) == 0 || g.r.chance(0.05) {
		list = append(list, g.name())
	}
	return list
}

// node makes a node of any type.
func (g *schemas) node(depth int) node {
	if depth <= 0 {
		return g.leaf()
	}
	switch g.r.Intn(10) {
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
func (g *schemas) leaf() node {
	n := node{}
	switch g.r.Intn(12) {
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
		if g.r.chance(0.6) {
			n["type"] = "object"
		}
	}
	g.decorate(n)
	return n
}

// object makes a node with properties.
func (g *schemas) object(depth int) node {
	properties := node{}
	for range g.r.between(1, 4) {
		properties[g.name()] = g.node(depth - 1)
	}
	n := node{"type": "object", "properties": properties}
	if g.r.chance(0.35) {
		n["required"] = g.someNames(properties)
	}
	if g.r.chance(0.1) {
		n["x-kubernetes-preserve-unknown-fields"] = true
	}
	if g.r.chance(0.07) {
		n["x-kubernetes-map-type"] = pick(g.r, "granular", "atomic")
	}
	if g.r.chance(0.08) {
		n["x-kubernetes-embedded-resource"] = true
		if g.r.chance(0.7) {
			n["x-kubernetes-preserve-unknown-fields"] = true
		}
		g.addTypeMeta(properties)
	}
	g.countLimits(n, "minProperties", "maxProperties")
	g.decorate(n)
	return n
}

// dictionary makes a node with additionalProperties.
func (g *schemas) dictionary(depth int) node {
	n := node{"type": "object", "additionalProperties": g.node(depth - 1)}
	if g.r.chance(0.06) {
		n["additionalProperties"] = g.r.chance(0.8)
	}
	g.countLimits(n, "minProperties", "maxProperties")
	g.decorate(n)
	return n
}

// array makes a node with items, of any list type.
func (g *schemas) array(depth int) node {
	n := node{"type": "array"}
	switch g.r.Intn(6) {
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
	if g.r.chance(0.03) {
		n["uniqueItems"] = false
	}
	g.decorate(n)
	return n
}

// setItem makes an item that a set may hold: a scalar, or something atomic.
func (g *schemas) setItem(depth int) node {
	item := g.leaf()
	if g.r.chance(0.15) {
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

// mapItem makes an item of a list map and the names of its keys.
func (g *schemas) mapItem(depth int) (node, []any) {
	item := g.object(depth - 1)
	delete(item, "nullable")
	delete(item, "default")
	properties, ok := item["properties"].(node)
	if !ok { // a flaw took them away
		properties = node{}
	}
	keys := []any{}
	required := []any{}
	for _, key := range []string{"name", "value"}[:g.r.between(1, 2)] {
		property := node{"type": pick(g.r, "string", "integer", "string", "boolean")}
		if g.r.chance(0.3) {
			property["default"] = scalarOf(g.r, property["type"])
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

// finish adds to the root what is added to every node last.
func (g *schemas) finish(n node) {
	if g.r.chance(g.config.Rules) {
		g.addRules(n)
	}
	if g.r.chance(g.config.Flaws) {
		g.addFlaw(n)
	}
}

// decorate adds to a node what any node may have.
func (g *schemas) decorate(n node) {
	if g.r.chance(0.12) {
		n["nullable"] = g.r.chance(0.85)
	}
	if g.r.chance(0.05) {
		n["description"] = "a description"
	}
	if g.r.chance(0.02) {
		n["title"] = "a title"
	}
	if g.r.chance(0.02) {
		n["example"] = scalarOf(g.r, n["type"])
	}
	if g.r.chance(0.02) {
		n["externalDocs"] = node{"url": "https://example.com", "description": "d"}
	}
	if g.r.chance(0.1) {
		g.addJunctor(n, 2)
	}
	if g.r.chance(0.2) {
		g.addDefault(n)
	}
	g.finish(n)
}

// addDefault gives a node a default that is valid most of the time.
func (g *schemas) addDefault(n node) {
	o := &objects{r: g.r, kind: valid}
	if g.r.chance(0.08) {
		o.kind = wild
	}
	v := o.value(n, 0)
	if v == nil && n["nullable"] != true && g.r.chance(0.9) {
		return
	}
	n["default"] = v
}
