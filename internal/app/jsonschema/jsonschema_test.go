package jsonschema_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/internal/app/jsonschema"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/structural"
)

var widget = jsonschema.Kind{Group: "example.com", Version: "v1", Kind: "Widget"}

// of returns the schema of a node at spec, which is given in YAML, as it is
// decoded from JSON.
func of(t *testing.T, node string, options ...jsonschema.Option) map[string]any {
	t.Helper()
	root, _, err := jsonvalue.DecodeObject(
		[]byte("type: object\nproperties: {spec: " + node + ", status: {type: string}}"))
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(root)
	if err != nil {
		t.Fatal(err)
	}
	s, err := structural.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	if text, err = json.Marshal(jsonschema.Of(s, widget, options...)); err != nil {
		t.Fatal(err)
	}
	var out map[string]any
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestNodes(t *testing.T) {
	for node, want := range map[string]string{
		"{type: string}":                                  `{"type":["string","null"]}`,
		"{type: string, nullable: true}":                  `{"type":["string","null"]}`,
		"{type: string, enum: [a]}":                       `{"type":["string","null"],"enum":["a",null]}`,
		"{x-kubernetes-int-or-string: true}":              `{"type":["integer","string","null"]}`,
		"{type: string, enum: [a, null], nullable: true}": `{"type":["string","null"],"enum":["a"]}`,
		"{type: integer, format: int32, minimum: 1}":      `{"type":["integer","null"],"format":"int32","minimum":1,"maximum":2147483647}`,
		"{type: integer, format: int64}":                  `{"type":["integer","null"],"format":"int64"}`,
		"{type: string, format: int32}":                   `{"type":["string","null"],"format":"int32"}`,
		"{type: integer, format: int32, maximum: 7, exclusiveMaximum: true}": `{"type":["integer","null"],
			"format":"int32","minimum":-2147483648,"exclusiveMaximum":7}`,
		"{type: number, maximum: 2, exclusiveMaximum: true}": `{"type":["number","null"],"exclusiveMaximum":2}`,
		"{type: object}": `{"type":["object","null"],"additionalProperties":false}`,
		"{x-kubernetes-preserve-unknown-fields: true}":                 `{}`,
		"{type: object, x-kubernetes-preserve-unknown-fields: true}":   `{"type":["object","null"]}`,
		"{type: object, additionalProperties: true}":                   `{"type":["object","null"],"additionalProperties":true}`,
		"{type: object, additionalProperties: {type: string}}":         `{"type":["object","null"],"additionalProperties":{"type":["string","null"]}}`,
		"{type: array, items: {type: string}}":                         `{"type":["array","null"],"items":{"type":"string"}}`,
		"{type: array, x-kubernetes-list-type: set, items: {type: a}}": `{"type":["array","null"],"items":{"type":"a"},"uniqueItems":true}`,
		"{type: object, required: [a, b], properties: {a: {type: string}, b: {type: string, default: x}}}": `{"type":["object","null"],
			"additionalProperties":false,"required":["a"],"properties":{"a":{"type":"string"},"b":{"type":["string","null"],"default":"x"}}}`,
		"{type: string, description: D, anyOf: [{pattern: a}, {maxLength: 3}]}": `{"description":"D",
			"anyOf":[{"type":"string","anyOf":[{"pattern":"a"},{"maxLength":3}]},{"type":"null"}]}`,
		"{type: object, nullable: true, properties: {k: {type: string, default: A}}, oneOf: [{properties: {k: {enum: [A]}}}, {required: [k], properties: {k: {not: {enum: [A]}}}}]}": `{
			"type":["object","null"],"additionalProperties":false,"properties":{"k":{"type":["string","null"],"default":"A"}},
			"oneOf":[{"properties":{"k":{"enum":["A"]}}},{"required":["k"],"properties":{"k":{"not":{"enum":["A"]}}}}]}`,
		"{type: string, description: D, x-kubernetes-validations: [{rule: 'self != \"\"', message: M}, {rule: 'true'}]}": `{
			"type":["string","null"],"description":"D\n\nRules:\n- M: self != \"\"\n- true"}`,
		"{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [a], items: {type: object, required: [a], properties: {a: {type: string}}}}": `{
			"type":["array","null"],"description":"Items are identified by: a.",
			"items":{"type":"object","additionalProperties":false,"required":["a"],"properties":{"a":{"type":"string"}}}}`,
		"{type: string, title: T, description: D, enum: [a, b], default: a, format: f, pattern: p, minLength: 1, maxLength: 9}": `{
			"title":"T","description":"D","type":["string","null"],"enum":["a","b",null],"default":"a","format":"f","pattern":"p","minLength":1,"maxLength":9}`,
		"{type: number, minimum: 2, exclusiveMinimum: true, maximum: 9, multipleOf: 3}": `{
			"type":["number","null"],"exclusiveMinimum":2,"maximum":9,"multipleOf":3}`,
		"{type: integer, format: int32, minimum: 1, maximum: 7}": `{"type":["integer","null"],"format":"int32","minimum":1,"maximum":7}`,
		"{type: integer, format: int32, minimum: 1, exclusiveMinimum: true}": `{"type":["integer","null"],
			"format":"int32","exclusiveMinimum":1,"maximum":2147483647}`,
		"{type: array, minItems: 1, maxItems: 2, uniqueItems: true, items: {type: string, enum: [a]}}": `{
			"type":["array","null"],"minItems":1,"maxItems":2,"uniqueItems":true,"items":{"type":"string","enum":["a"]}}`,
		"{type: object, minProperties: 1, maxProperties: 2, additionalProperties: false}": `{
			"type":["object","null"],"minProperties":1,"maxProperties":2,"additionalProperties":false}`,
		"{type: object, nullable: true, allOf: [{required: [a]}], anyOf: [{minProperties: 1}], oneOf: [{maxProperties: 2}]}": `{
			"type":["object","null"],"additionalProperties":false,
			"allOf":[{"required":["a"]}],"anyOf":[{"minProperties":1}],"oneOf":[{"maxProperties":2}]}`,
		"{type: string, enum: [a, null]}": `{"type":["string","null"],"enum":["a",null]}`,
		"{enum: [a]}":                     `{"enum":["a",null]}`,
		"{x-kubernetes-int-or-string: true, nullable: true, anyOf: [{type: integer}, {type: string}]}": `{
			"type":["integer","string","null"],"anyOf":[{"type":"integer"},{"type":"string"}]}`,
		"{type: string, title: T, default: x, not: {enum: [z]}}": `{"title":"T","default":"x",
			"anyOf":[{"type":"string","not":{"enum":["z"]}},{"type":"null"}]}`,
		"{type: object, nullable: true, properties: {k: {type: string, default: A}, f: {type: string}}, allOf: [" +
			"{required: [k, f], properties: {k: {not: {enum: [B]}}, f: {enum: [A]}}}, {properties: {k: {enum: [B, C]}, f: {not: {enum: [A]}}}}]}": `{
			"type":["object","null"],"additionalProperties":false,
			"properties":{"k":{"type":["string","null"],"default":"A"},"f":{"type":["string","null"]}},
			"allOf":[{"required":["f"],"properties":{"k":{"not":{"enum":["B"]}},"f":{"enum":["A"]}}},
				{"required":["k"],"properties":{"k":{"enum":["B","C"]},"f":{"not":{"enum":["A"]}}}}]}`,
		"{type: array, nullable: true, items: {type: object, properties: {k: {type: string, default: A}}}, anyOf: [{items: {required: [k]}}]}": `{
			"type":["array","null"],"items":{"type":"object","additionalProperties":false,"properties":{"k":{"type":["string","null"],"default":"A"}}},
			"anyOf":[{"items":{}}]}`,
		"{type: string, x-kubernetes-validations: [{rule: \"true\\n  || false\", message: ' M '}]}": `{
			"type":["string","null"],"description":"Rules:\n- M: true || false"}`,
	} {
		var wanted any
		if err := json.Unmarshal([]byte(want), &wanted); err != nil {
			t.Fatal(err)
		}
		got := jsonvalue.At(of(t, node), "properties", "spec")
		if diff := cmp.Diff(wanted, got); diff != "" {
			t.Errorf("%s: %s", node, diff)
		}
	}
}

// The root has what every object has.
func TestRoot(t *testing.T) {
	got := of(t, "{type: object, x-kubernetes-embedded-resource: true, "+
		"x-kubernetes-preserve-unknown-fields: true}")
	for path, want := range map[string]any{
		"$schema":                     "http://json-schema.org/draft-07/schema#",
		"required":                    []any{"apiVersion", "kind"},
		"properties apiVersion const": "example.com/v1",
		"properties kind const":       "Widget",
		"properties metadata additionalProperties":       false,
		"properties metadata properties name type":       []any{"string", "null"},
		"properties spec required":                       []any{"apiVersion", "kind"},
		"properties spec properties metadata type":       []any{"object", "null"},
		"additionalProperties":                           false,
		"properties status type":                         []any{"string", "null"},
		"properties metadata properties finalizers type": []any{"array", "null"},
	} {
		if diff := cmp.Diff(want, jsonvalue.At(got, strings.Fields(path)...)); diff != "" {
			t.Errorf("%s: %s", path, diff)
		}
	}
	loose := of(t, "{type: object}", jsonschema.AllowUnknownFields(), jsonschema.DropStatus(), nil)
	if text, _ := json.Marshal(loose); strings.Contains(string(text), `"additionalProperties":false`) {
		t.Errorf("unknown fields are refused: %s", text)
	}
	if jsonvalue.At(loose, "properties", "status", "type") != nil {
		t.Error("the status has a type")
	}
	if none := jsonschema.Of(nil, widget); none["type"] != "object" {
		t.Errorf("without a schema: %v", none)
	}
}

// An embedded resource declares what every object has. A definition restricts
// the name of its objects.
func TestMetadata(t *testing.T) {
	root, err := structural.Parse([]byte(`{"type":"object","properties":{"metadata":{"type":"object",
		"properties":{"name":{"type":"string","maxLength":9}}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	m := jsonschema.Of(root, widget)["properties"].(map[string]any)["metadata"].(map[string]any)
	want := []any{map[string]any{"type": "object", "properties": map[string]any{
		"name": map[string]any{"type": "string", "maxLength": int64(9)}}}}
	if diff := cmp.Diff(want, m["allOf"]); diff != "" {
		t.Error(diff)
	}
	nullable := func(typ string) []any { return []any{typ, "null"} }
	fields := m["properties"].(map[string]any)
	texts := map[string]any{"type": nullable("string")}
	for name, want := range map[string]any{
		"labels":            map[string]any{"type": nullable("object"), "additionalProperties": texts},
		"finalizers":        map[string]any{"type": nullable("array"), "items": texts},
		"creationTimestamp": map[string]any{"type": nullable("string"), "format": "date-time"},
		"generation":        map[string]any{"type": nullable("integer")},
	} {
		if diff := cmp.Diff(want, fields[name]); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	owners := fields["ownerReferences"].(map[string]any)
	items := owners["items"].(map[string]any)
	if diff := cmp.Diff([]any{nullable("array"), nullable("object"), false},
		[]any{owners["type"], items["type"], items["additionalProperties"]}); diff != "" {
		t.Error(diff)
	}
	spec := jsonvalue.At(of(t, "{type: object, required: [kind], "+
		"x-kubernetes-embedded-resource: true, properties: {a: {type: string}}}"),
		"properties", "spec").(map[string]any)
	text := map[string]any{"type": "string", "minLength": 1.0}
	resource := spec["properties"].(map[string]any)
	delete(resource, "metadata")
	if diff := cmp.Diff(map[string]any{"type": nullable("object"), "additionalProperties": false,
		"required": []any{"kind", "apiVersion"}, "properties": map[string]any{"apiVersion": text, "kind": text,
			"a": map[string]any{"type": nullable("string")}}}, any(spec)); diff != "" {
		t.Error(diff)
	}
}

// A schema of all kinds refers to the files.
func TestAll(t *testing.T) {
	is := func(value string) any { return map[string]any{"const": value} }
	want := map[string]any{"$schema": "http://json-schema.org/draft-07/schema#", "allOf": []any{
		map[string]any{
			"if": map[string]any{"required": []any{"apiVersion", "kind"}, "properties": map[string]any{
				"apiVersion": is("example.com/v1"), "kind": is("Widget")}},
			"then": map[string]any{"$ref": "example.com/widget_v1.json"},
		}}}
	if diff := cmp.Diff(want, jsonschema.All([]jsonschema.Kind{widget})); diff != "" {
		t.Error(diff)
	}
	if none := jsonschema.All(nil); len(none) != 1 {
		t.Errorf("no kinds: %v", none)
	}
}
