package live

import (
	"encoding/json"
	"slices"
	"strings"
)

// crdMutator changes CRD objects at random, in place.
type crdMutator struct{ mutator }

// mutate applies one or two changes to any part of the spec. The name stays.
func (m *crdMutator) mutate(crd map[string]any) {
	spec := child(crd, "spec")
	for range 1 + m.rng.IntN(2) {
		switch m.rng.IntN(10) {
		case 0, 1, 2, 3:
			m.schema(spec)
		case 4, 5:
			m.version(spec)
		case 6, 7:
			m.spec(spec)
		case 8:
			m.metadata(crd)
		default:
			m.anywhere(spec)
		}
	}
}

// anywhere changes any value of the spec in the same way as objects are
// changed.
func (m *crdMutator) anywhere(spec map[string]any) {
	changes := m.changes()
	all := places(spec)
	if len(all) > 0 {
		changes[m.rng.IntN(len(changes))](all[m.rng.IntN(len(all))])
	}
}

// metadata changes a field of the CRD's own metadata that its validation
// checks. The registry owns the other fields.
func (m *crdMutator) metadata(crd map[string]any) {
	m.setMetadata(crd, []metadataChange{
		{"labels", map[string]any{"bad key!": "x"}}, {"labels", map[string]any{"good": "bad value!"}}, {"labels", nil}, {"labels", "text"},
		{"annotations", map[string]any{"bad key": "x"}}, {"annotations", []any{}}, {"annotations", map[string]any{"api-approved.kubernetes.io": "maybe"}},
		{"annotations", map[string]any{"api-approved.kubernetes.io": "unapproved, testing"}}, {"unknownMeta", "x"}, {"generation", "five"},
		{"creationTimestamp", "not a time"}, {"ownerReferences", []any{map[string]any{"apiVersion": "v1", "kind": "ConfigMap"}}},
	})
}

// keywords returns a schema keyword and a value that is invalid or unusual
// somewhere.
func (m *crdMutator) keywords() (string, any) {
	rule := func(rule string) []any { return []any{map[string]any{"rule": rule}} }
	all := []struct {
		keyword string
		value   any
	}{
		{"type", "strange"}, {"type", ""}, {"type", "object"}, {"type", "array"}, {"type", "integer"}, {"nullable", true},
		{"$ref", "#/definitions/x"}, {"uniqueItems", true}, {"additionalProperties", false}, {"additionalProperties", true},
		{"additionalProperties", map[string]any{"type": "string"}}, {"properties", map[string]any{"a b": map[string]any{"type": "string"}}},
		{"items", map[string]any{"type": "string"}}, {"items", []any{map[string]any{"type": "string"}}},
		{"pattern", "(["}, {"pattern", "^a$"}, {"format", "int64"}, {"format", "strange"}, {"default", nil}, {"default", "text"},
		{"default", json.Number("1")}, {"default", map[string]any{"x": json.Number("1")}}, {"default", []any{}}, {"enum", []any{"a", "a"}},
		{"enum", []any{}}, {"required", []any{"nobody"}}, {"required", "x"}, {"minimum", json.Number("5")}, {"maximum", json.Number("-5")},
		{"maxLength", json.Number("-1")}, {"multipleOf", json.Number("0")}, {"exclusiveMinimum", true}, {"minItems", json.Number("1e3")},
		{"not", map[string]any{"type": "string"}}, {"not", map[string]any{"properties": map[string]any{"q": map[string]any{"default": "1"}}}},
		{"allOf", []any{map[string]any{"nullable": true}}}, {"anyOf", []any{}}, {"oneOf", []any{map[string]any{"required": []any{"x"}}}},
		{"x-kubernetes-int-or-string", true}, {"x-kubernetes-preserve-unknown-fields", true}, {"x-kubernetes-preserve-unknown-fields", false},
		{"x-kubernetes-embedded-resource", true}, {"x-kubernetes-list-type", "map"}, {"x-kubernetes-list-type", "set"},
		{"x-kubernetes-list-type", "strange"}, {"x-kubernetes-list-map-keys", []any{"name"}}, {"x-kubernetes-list-map-keys", []any{}},
		{"x-kubernetes-map-type", "atomic"}, {"x-kubernetes-map-type", "strange"}, {"x-kubernetes-validations", rule("self == oldSelf")},
		{"x-kubernetes-validations", rule("self.size() > 0")}, {"x-kubernetes-validations", rule("true")}, {"x-kubernetes-validations", rule("")},
		{"x-kubernetes-validations", rule("1 + 1")}, {"x-kubernetes-validations", rule("self.all(x, self.all(y, self.all(z, x == y)))")},
		{"x-kubernetes-validations", []any{map[string]any{"rule": "true", "message": " ", "reason": "Strange", "fieldPath": ".x"}}},
		{"x-kubernetes-validations", []any{map[string]any{"rule": "true", "messageExpression": "1"}}},
		{"x-kubernetes-validations", []any{map[string]any{"rule": "has(self.metadata)", "optionalOldSelf": true}}},
		{"x-kubernetes-strange", true}, {"description", json.Number("1")}, {"externalDocs", map[string]any{"url": "x"}}, {"id", "x"}, {"definitions", map[string]any{"x": map[string]any{}}},
	}
	chosen := all[m.rng.IntN(len(all))]
	return chosen.keyword, copyValue(chosen.value)
}

// schema sets or removes a keyword of one schema.
func (m *crdMutator) schema(spec map[string]any) {
	versions, _ := spec["versions"].([]any)
	if len(versions) == 0 {
		return
	}
	version, _ := versions[m.rng.IntN(len(versions))].(map[string]any)
	schemas := subschemas(child(child(version, "schema"), "openAPIV3Schema"))
	if len(schemas) == 0 {
		return
	}
	schema := schemas[m.rng.IntN(len(schemas))]
	if keys := sortedKeys(schema); len(keys) > 0 && m.rng.IntN(4) == 0 {
		delete(schema, keys[m.rng.IntN(len(keys))])
		return
	}
	keyword, value := m.keywords()
	schema[keyword] = value
}

// subschemas returns a schema and those below it. The upper ones are in the
// list several times, so that they are chosen more often.
func subschemas(schema map[string]any) []map[string]any {
	if schema == nil {
		return nil
	}
	all := []map[string]any{schema}
	properties := child(schema, "properties")
	for _, name := range sortedKeys(properties) {
		all = append(all, subschemas(child(properties, name))...)
	}
	all = append(all, subschemas(child(schema, "items"))...)
	return append(all, subschemas(child(schema, "additionalProperties"))...)
}

// version changes a version's own fields, or the list of versions.
func (m *crdMutator) version(spec map[string]any) {
	versions, _ := spec["versions"].([]any)
	if len(versions) == 0 {
		return
	}
	at := m.rng.IntN(len(versions))
	v, ok := versions[at].(map[string]any)
	if !ok {
		return
	}
	column := map[string]any{
		"name":     "Age",
		"type":     "date",
		"jsonPath": ".metadata.creationTimestamp",
	}
	changes := []func(){
		func() { v["storage"] = v["storage"] != true }, func() { v["served"] = v["served"] != true }, func() { delete(v, "schema") },
		func() { delete(v, "name") }, func() { v["name"] = "V1" }, func() { v["name"] = "v1beta1-x.y" },
		func() { spec["versions"] = append(versions, copyValue(v)) }, func() { spec["versions"] = slices.Delete(versions, at, at+1) },
		func() { v["deprecated"] = true }, func() { v["deprecationWarning"] = "line\nbreak" }, func() { v["deprecationWarning"] = strings.Repeat("w", 257) },
		func() { v["subresources"] = map[string]any{"status": map[string]any{}} }, func() { delete(v, "subresources") },
		func() {
			v["subresources"] = map[string]any{"scale": map[string]any{"specReplicasPath": "spec.replicas"}}
		},
		func() {
			v["subresources"] = map[string]any{"scale": map[string]any{
				"specReplicasPath": ".spec.replicas", "statusReplicasPath": ".status['x']", "labelSelectorPath": "{.status}"}}
		},
		func() { v["additionalPrinterColumns"] = []any{column} },
		func() {
			v["additionalPrinterColumns"] = []any{map[string]any{"name": "", "type": "strange", "jsonPath": ".["}}
		},
		func() { v["selectableFields"] = []any{map[string]any{"jsonPath": ".spec"}} },
		func() {
			v["selectableFields"] = []any{map[string]any{"jsonPath": ".metadata.name"}, map[string]any{"jsonPath": "x"}}
		},
		func() { v["unknownVersionField"] = "x" },
	}
	changes[m.rng.IntN(len(changes))]()
}

// spec changes the names, the scope, the conversion or another part of the
// spec.
func (m *crdMutator) spec(spec map[string]any) {
	names := child(spec, "names")
	if names == nil {
		return
	}
	webhook := func(client map[string]any, versions ...any) map[string]any {
		return map[string]any{
			"strategy": "Webhook",
			"webhook": map[string]any{
				"clientConfig":             client,
				"conversionReviewVersions": versions,
			},
		}
	}
	changes := []func(){
		func() { spec["scope"] = "Everywhere" }, func() { delete(spec, "scope") }, func() { spec["group"] = "Bad_Group" }, func() { delete(spec, "group") },
		func() { names["plural"] = "Bad Plural" }, func() { delete(names, "plural") }, func() { names["kind"] = "kind_x" }, func() { names["listKind"] = names["kind"] },
		func() { names["shortNames"] = []any{"UP", "ok"} }, func() { names["categories"] = []any{"a b"} }, func() { names["singular"] = "x.y" },
		func() { delete(names, "kind") }, func() { spec["preserveUnknownFields"] = true }, func() { spec["preserveUnknownFields"] = "x" },
		func() { spec["conversion"] = map[string]any{"strategy": "Strange"} }, func() { spec["conversion"] = map[string]any{"strategy": "Webhook"} },
		func() { spec["conversion"] = webhook(map[string]any{"url": "http://user@x/?q#f"}, "v1") },
		func() {
			spec["conversion"] = webhook(map[string]any{"url": "https://example.com", "caBundle": "AAAA"}, "v2", "v2")
		},
		func() {
			spec["conversion"] = webhook(map[string]any{"service": map[string]any{"namespace": "", "name": "x", "path": "//", "port": json.Number("0")}}, "v1beta1")
		},
		func() { spec["versions"] = []any{} }, func() { delete(spec, "versions") }, func() { spec["unknownSpecField"] = true }, func() { delete(spec, "names") },
	}
	changes[m.rng.IntN(len(changes))]()
}
