package generate

// addJunctor gives a node one of allOf, anyOf, oneOf and not, whose branches hold
// value validation only, as structural schemas ask.
func (g *schemas) addJunctor(n node, depth int) {
	if n["x-kubernetes-int-or-string"] == true {
		return
	}
	keyword := pick(g.r, "allOf", "anyOf", "oneOf", "not")
	if keyword == "not" {
		n["not"] = g.branch(n, depth)
		return
	}
	branches := []any{}
	for range g.r.between(1, 3) {
		branches = append(branches, g.branch(n, depth))
	}
	n[keyword] = branches
}

// branch makes a nested value validation that fits to the node it is for.
func (g *schemas) branch(of node, depth int) node {
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
		if items, ok := of["items"].(node); ok && depth > 0 && g.r.chance(0.5) {
			b["items"] = g.branch(items, depth-1)
		}
	case "object":
		g.objectBranch(b, of, depth)
	default:
		b["enum"] = []any{pick[any](g.r, true, "a", int64(1))}
	}
	if g.r.chance(0.05) {
		b["enum"] = []any{scalarOf(g.r, of["type"])}
	}
	if depth > 0 && g.r.chance(0.1) {
		g.addJunctor(b, depth-1)
	}
	return b
}

// objectBranch fills a branch for an object with what its properties allow.
func (g *schemas) objectBranch(b, of node, depth int) {
	properties, ok := of["properties"].(node)
	if !ok || g.r.chance(0.2) {
		g.countLimits(b, "minProperties", "maxProperties")
		return
	}
	if g.r.chance(0.7) {
		b["required"] = g.someNames(properties)
	}
	if depth <= 0 || g.r.chance(0.4) {
		return
	}
	nested := node{}
	for _, name := range names(properties) {
		property, ok := properties[name].(node)
		if ok && g.r.chance(0.5) && name != "metadata" && name != "kind" && name != "apiVersion" {
			nested[name] = g.branch(property, depth-1)
		}
	}
	if len(nested) > 0 {
		b["properties"] = nested
	}
}

// addFlaw breaks something about a node that a structural schema or a definition
// must not break.
func (g *schemas) addFlaw(n node) {
	flaws := []func(){
		func() { delete(n, "type") },
		func() { n["type"] = pick[any](g.r, "null", "", "Object", int64(1), []any{"string"}) },
		func() { n["uniqueItems"] = true },
		func() { n["additionalProperties"] = pick[any](g.r, false, node{}, node{"type": "string"}) },
		func() { n["$ref"] = "#/definitions/a" },
		func() { n["anyOf"] = []any{node{"type": "string"}} },
		func() { n["allOf"] = []any{node{"description": "d", "default": int64(1), "nullable": true}} },
		func() {
			n["oneOf"] = []any{node{"properties": node{"unknown": node{"minimum": int64(1)}}}, node{"additionalProperties": node{}}}
		},
		func() { n["not"] = node{"x-kubernetes-preserve-unknown-fields": true} },
		func() { n["x-kubernetes-preserve-unknown-fields"] = false },
		func() { n["x-kubernetes-embedded-resource"] = true },
		func() { n["x-kubernetes-int-or-string"] = true },
		func() { n["x-kubernetes-list-type"] = pick[any](g.r, "set", "map", "other") },
		func() { n["x-kubernetes-list-map-keys"] = []any{"a", pick(g.r, "a", "name")} },
		func() { n["x-kubernetes-map-type"] = pick[any](g.r, "atomic", "other") },
		func() { n["pattern"] = "(" },
		func() { n["minLength"], n["maxLength"] = int64(-1), pick[any](g.r, int64(2), "x", 1.5) },
		func() { n["required"] = []any{"a", "a", ""} },
		func() { n["enum"] = pick[any](g.r, []any{}, []any{nil}, []any{int64(1), 1.0, "1", node{}}) },
		func() { n["default"] = pick[any](g.r, nil, int64(1), "a", []any{}, node{"a": node{"b": nil}}) },
		func() { n["multipleOf"] = pick[any](g.r, int64(0), int64(-1)) },
		func() { n["items"] = pick[any](g.r, node{}, []any{node{"type": "string"}}, nil) },
		func() {
			n["properties"] = pick[any](g.r, node{"metadata": node{"type": "string"}}, node{"a": nil}, []any{})
		},
		func() { n["definitions"] = node{"a": node{"type": "object"}} },
		func() { n["dependencies"] = node{"a": []any{"b"}} },
		func() { n["patternProperties"] = node{"^a": node{}} },
		func() { n["id"], n["$schema"] = "x", "y" },
		func() { n["additionalItems"] = pick[any](g.r, true, node{"type": "string"}) },
		func() { n["unknownKeyword"] = true },
		func() {
			n["x-kubernetes-validations"] = []any{node{"rule": pick(g.r, "", " ", "self.", "1", "self.nope", "oldSelf == self\n"), "message": pick(g.r, "", "a\nb"), "reason": "Nope"}}
		},
	}
	flaws[g.r.Intn(len(flaws))]()
}
