package jsonschema_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/structural"
	"github.com/crdsem/crdsem/structural/jsonschema"
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

// A schema of all kinds refers to the files.
func TestAll(t *testing.T) {
	all := jsonschema.All([]jsonschema.Kind{widget})
	branch := all["allOf"].([]any)[0].(map[string]any)
	if got := jsonvalue.At(branch, "then", "$ref"); got != "example.com/widget_v1.json" {
		t.Errorf("%v", got)
	}
	if none := jsonschema.All(nil); none["allOf"] != nil {
		t.Errorf("no kinds: %v", none)
	}
}
