package sample_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/app/sample"
	"github.com/crdsem/crdsem/internal/test/testschema"
)

func version(t *testing.T, schema string) *crdsem.Version {
	t.Helper()
	def, err := crdsem.Parse([]byte(testschema.Definition("Tab", schema)))
	if err != nil {
		t.Fatal(err)
	}
	v, err := def.Version("v1")
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// Every field is there once, with what it must be, and the text is YAML.
func TestFull(t *testing.T) {
	v := version(t, `
    subresources: {status: {}}
    schema:
      openAPIV3Schema:
        type: object
        required: [spec]
        properties:
          status: {type: object, properties: {ready: {type: boolean}}}
          spec:
            type: object
            description: "What is\nwanted."
            required: [size]
            properties:
              size: {type: integer, minimum: 2, maximum: 9}
              mode: {type: string, enum: [fast, slow], default: slow}
              "on": {type: boolean, nullable: true}
              names: {type: array, items: {type: string, pattern: "^[a-z]+$"}, x-kubernetes-list-type: set}
              tpl: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}
              even: {type: integer, minimum: 3, multipleOf: 2}
              labels: {type: object, additionalProperties: {type: string}}
              grid: {type: array, items: {type: array, items: {type: integer}}}
              any: {type: object, x-kubernetes-preserve-unknown-fields: true}
              url: {type: string, format: uri, example: "https://example.org"}
              ports:
                type: array
                items: {type: object, properties: {port: {x-kubernetes-int-or-string: true}}}
`)
	got := sample.Full(v, nil)
	want := `apiVersion: example.com/v1
kind: Tab
metadata:
  name: example
# What is
# object; required
spec:
  # object; unknown fields are kept
  any: {}
  # integer; minimum: 3; multiple of: 2
  even: 4
  # list of list of integer
  grid:
  -
    - 0
  # map of string
  labels:
    # string
    key: ""
  # string; default: "slow"; value: "fast"; value: "slow"
  mode: slow
  # list of string; items must differ; each item: pattern: ^[a-z]+$
  names:
  - a
  # boolean; may be null
  "on": false
  # list of object
  ports:
  -
    # integer or string
    port: 1
  # integer; required; minimum: 2; maximum: 9
  size: 2
  # object; is a resource with apiVersion, kind and metadata; unknown fields are kept
  tpl:
    apiVersion: example.com/v1
    kind: Example
  # string; format: uri
  url: "https://example.org"
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	var object map[string]any
	if err := yaml.UnmarshalStrict([]byte(got), &object); err != nil {
		t.Fatal(err)
	}
	if result := v.Create(context.Background(), object); result.Err() != nil {
		t.Error(result.Err())
	}
}

// Values are those of another object where it has them: its first items, and
// the first key of its maps.
func TestFullLike(t *testing.T) {
	v := version(t, `
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              a: {type: string}
              b: {type: string}
              l: {type: array, items: {type: object, properties: {c: {type: integer}, d: {type: integer}}}}
              m: {type: object, additionalProperties: {type: integer}}
              w: {type: array, items: {type: string}}
`)
	got := sample.Full(v, map[string]any{"spec": map[string]any{
		"a": "x", "l": []any{map[string]any{"d": int64(7)}, map[string]any{}},
		"m": map[string]any{"z": int64(2), "k": int64(3)}, "w": []any{"y"},
	}})
	value, err := yaml.YAMLToJSON([]byte(got))
	want := `{"apiVersion":"example.com/v1","kind":"Tab","metadata":{"name":"example"},` +
		`"spec":{"a":"x","b":"","l":[{"c":0,"d":7}],"m":{"k":3},"w":["y"]}}`
	if string(value) != want || err != nil {
		t.Errorf("%s, %v\n%s", value, err, got)
	}
}

// The smallest object has what is required. Where plain values are refused, the
// search is asked, and what its object need not have goes.
func TestSmallest(t *testing.T) {
	v := version(t, `
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            required: [code]
            properties:
              code: {type: string, maxLength: 9, x-kubernetes-validations: [{rule: self.size() == 3}]}
              list: {type: array, items: {type: object, properties: {a: {type: string}, b: {type: string}}}}
              more: {type: string}
            x-kubernetes-validations: [{rule: "has(self.list) && self.list.exists(i, has(i.b) && i.b == 'x')"}]
`)
	none := errors.New("none")
	fails := func() (map[string]any, error) { return nil, none }
	object, err := sample.Smallest(t.Context(), v, fails)
	if err != nil || object["spec"] != nil {
		t.Fatalf("%v, %v", object, err)
	}
	sample.WithSpec(t.Context(), v, object, fails)
	if object["spec"] != nil {
		t.Errorf("a spec that is refused: %v", object)
	}
	searches := 0
	found := func() (map[string]any, error) {
		if searches++; searches < 3 {
			return map[string]any{}, nil
		}
		return map[string]any{"spec": map[string]any{"code": "abc", "more": "x", "list": []any{
			map[string]any{"a": "z"}, map[string]any{"a": "z", "b": "x"}, map[string]any{"b": "w"},
		}}}, nil
	}
	sample.WithSpec(t.Context(), v, object, found)
	smallest := map[string]any{"code": "abc", "list": []any{map[string]any{"b": "x"}}}
	if diff := cmp.Diff(smallest, object["spec"]); diff != "" {
		t.Error(diff)
	}
	required := version(t, `
    schema:
      openAPIV3Schema:
        type: object
        required: [spec]
        properties:
          spec:
            type: object
            required: [code]
            properties:
              code: {type: string, maxLength: 9, x-kubernetes-validations: [{rule: self.size() == 3}]}
              more: {type: string}
`)
	if _, err := sample.Smallest(t.Context(), required, fails); !errors.Is(err, none) {
		t.Errorf("%v", err)
	}
	object, err = sample.Smallest(t.Context(), required, func() (map[string]any, error) {
		return map[string]any{
			"apiVersion": "example.com/v1", "kind": "Tab", "metadata": map[string]any{"name": "n"},
			"spec": map[string]any{"code": "abc", "more": "x"},
		}, nil
	})
	want := "apiVersion: example.com/v1\nkind: Tab\nmetadata:\n  name: example\n" +
		"spec:\n  code: abc\n"
	if got := sample.YAML(object); err != nil || got != want {
		t.Errorf("%v, %s", err, got)
	}
}
