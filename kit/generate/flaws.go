package generate

import "github.com/crdsem/crdsem/kit/generate/internal/objectgen"

// addFlaw gives a node a flaw: it breaks a rule of structural schemas, or has a
// keyword with a wrong value.
func (g *schemaWriter) addFlaw(n node) {
	pick := func(choices ...any) any { return objectgen.Pick(g.r, choices...) }
	flaws := []func(){
		func() { delete(n, "type") },
		func() { n["type"] = pick("null", "", "Object", int64(1), []any{"string"}) },
		func() { n["uniqueItems"] = true },
		func() { n["additionalProperties"] = pick(false, node{}, node{"type": "string"}) },
		func() { n["$ref"] = "#/definitions/a" },
		func() { n["anyOf"] = []any{node{"type": "string"}} },
		func() {
			n["allOf"] = []any{node{"description": "d", "default": int64(1), "nullable": true}}
		},
		func() {
			n["oneOf"] = []any{
				node{"properties": node{"unknown": node{"minimum": int64(1)}}},
				node{"additionalProperties": node{}},
			}
		},
		func() { n["not"] = node{"x-kubernetes-preserve-unknown-fields": true} },
		func() { n["x-kubernetes-preserve-unknown-fields"] = false },
		func() { n["x-kubernetes-embedded-resource"] = true },
		func() { n["x-kubernetes-int-or-string"] = true },
		func() { n["x-kubernetes-list-type"] = pick("set", "map", "other") },
		func() { n["x-kubernetes-list-map-keys"] = []any{"a", pick("a", "name")} },
		func() { n["x-kubernetes-map-type"] = pick("atomic", "other") },
		func() { n["pattern"] = "(" },
		func() { n["minLength"], n["maxLength"] = int64(-1), pick(int64(2), "x", 1.5) },
		func() { n["required"] = []any{"a", "a", ""} },
		func() { n["enum"] = pick([]any{}, []any{nil}, []any{int64(1), 1.0, "1", node{}}) },
		func() {
			n["default"] = pick(nil, int64(1), "a", []any{},
				node{"a": node{"b": nil}})
		},
		func() { n["multipleOf"] = pick(int64(0), int64(-1)) },
		func() { n["items"] = pick(node{}, []any{node{"type": "string"}}, nil) },
		func() {
			n["properties"] = pick(node{"metadata": node{"type": "string"}},
				node{"a": nil}, []any{})
		},
		func() { n["definitions"] = node{"a": node{"type": "object"}} },
		func() { n["dependencies"] = node{"a": []any{"b"}} },
		func() { n["patternProperties"] = node{"^a": node{}} },
		func() { n["id"], n["$schema"] = "x", "y" },
		func() { n["additionalItems"] = pick(true, node{"type": "string"}) },
		func() { n["unknownKeyword"] = true },
		func() {
			n["x-kubernetes-validations"] = []any{node{
				"rule":    pick("", " ", "self.", "1", "self.nope", "oldSelf == self\n"),
				"message": pick("", "a\nb"),
				"reason":  "Nope",
			}}
		},
	}
	flaws[g.r.IntN(len(flaws))]()
}
