package edit_test

import (
	"strings"
	"testing"

	"github.com/crdsem/crdsem/internal/app/edit"
)

// definitionOf returns a definition with properties of its spec, in block
// style, whose lines start at the column of the properties.
func definitionOf(properties string) string {
	const head = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: foos.g.io
spec:
  group: g.io
  scope: Cluster
  names: {plural: foos, kind: Foo}
  versions:
  - name: v1
    storage: true
    served: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
`
	const pad = "            "
	return head + pad + strings.ReplaceAll(strings.TrimSpace(properties), "\n", "\n"+pad) + "\n"
}

// Each edit that is certain is made, and nothing else changes: neither comments
// nor the order of keys.
func TestRepair(t *testing.T) {
	for _, c := range []struct{ name, before, after string }{
		{"a keyword of another type", `
properties:
  count: # how many
    # a number
    type: integer
    pattern: ^[0-9]+$ # digits
    minimum: 1`, `
properties:
  count: # how many
    # a number
    type: integer
    minimum: 1`},
		{"a keyword of another type in flow style", `
properties:
  count: {type: integer, pattern: ^1, minimum: 1}
  other: {type: integer, minLength: 1} # last`, `
properties:
  count: {type: integer, minimum: 1}
  other: {type: integer} # last`},
		{"nullable next to an enum", `
properties:
  s:
    nullable: true
    type: string
    enum: [a, b]`, `
properties:
  s:
    type: string
    enum: [a, b]`},
		{"a required field with a default", `
required: # both
- a
# the second
- b
properties:
  a: {type: string, default: x}
  b: {type: string}`, `
required: # both
# the second
- b
properties:
  a: {type: string, default: x}
  b: {type: string}`},
		{"the only required field", `
required:
- a
properties:
  a: {type: string, default: x}`, `
properties:
  a: {type: string, default: x}`},
		{"required fields in flow style", `
required: [b, "a"]
properties:
  a: {type: string, default: x}
  b: {type: string}`, `
required: [b]
properties:
  a: {type: string, default: x}
  b: {type: string}`},
		{"booleans of YAML 1.1", `
properties:
  s:
    type: string
    enum: [on, "off"]`, `
properties:
  s:
    type: string
    enum: ["on", "off"]`},
		{"a rule that is no matter of certainty", `
properties:
  a: {type: integer}
x-kubernetes-validations:
- rule: self.a > 0`, `
properties:
  a: {type: integer}
x-kubernetes-validations:
- rule: self.a > 0`},
	} {
		w := edit.NewWorkspace(edit.UTF8)
		w.Set("crd.yaml", definitionOf(c.before))
		fixed, err := w.Repair(t.Context(), "crd.yaml")
		if err != nil {
			t.Fatal(err)
		}
		if got, want := w.Text("crd.yaml"), definitionOf(c.after); got != want {
			t.Errorf("%s: %d fixed\n%s\nwant\n%s", c.name, len(fixed), got, want)
		}
		if isSame := c.before == c.after; isSame != (len(fixed) == 0) {
			t.Errorf("%s: fixed %v", c.name, fixed)
		}
	}
}

// Edits that need a person are offered, and not made.
func TestOffers(t *testing.T) {
	for _, c := range []struct{ name, text, title, want string }{
		{"an optional field", `
properties:
  a: {type: integer}
x-kubernetes-validations:
- rule: self.a > 0`, "let the rule hold without the field", `- rule: '!has(self.a) || (self.a > 0)'`},
		{"an immutable field", `
properties:
  a:
    type: string
    maxLength: 9
    x-kubernetes-validations:
    - rule: self == oldSelf`, "add the rule !has(oldSelf.a) || has(self.a)", `- rule: '!has(oldSelf.a) || has(self.a)'`},
		{"a default behind an object", `
properties:
  a:
    type: object
    properties:
      on: {type: boolean, default: true}`, "add default: {}", "default: {}"},
	} {
		w := edit.NewWorkspace(edit.UTF8)
		w.Set("crd.yaml", definitionOf(c.text))
		actions, err := w.Actions(t.Context(), "crd.yaml", 0, 1000)
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, a := range actions {
			if a.Title != c.title {
				continue
			}
			found = true
			w.Change("crd.yaml", a.Edits...)
			if text := w.Text("crd.yaml"); a.Certain || !strings.Contains(text, c.want) {
				t.Errorf("%s: certain %t\n%s", c.name, a.Certain, text)
			}
		}
		if !found {
			t.Errorf("%s: no %q among %+v", c.name, c.title, actions)
		}
	}
}

func TestSetBounds(t *testing.T) {
	const text = `
properties:
  l: # a list
    description: |-
      Items.

      # no comment
    # the items
    items:
      type: string
    type: array
  m: {type: object, additionalProperties: {type: string}}
  s:
    type: string
    maxLength: 9000 # long`
	const want = `
properties:
  l: # a list
    description: |-
      Items.

      # no comment
    # the items
    items:
      maxLength: 8
      type: string
    maxItems: 4
    type: array
  m: {maxProperties: 5, type: object, additionalProperties: {type: string}}
  s:
    type: string
    maxLength: 10 # long`
	const at = "spec.versions[0].schema.openAPIV3Schema.properties[spec].properties"
	w := edit.NewWorkspace(edit.UTF8)
	w.Set("crd.yaml", definitionOf(text))
	left := w.SetBounds("crd.yaml", []edit.Bound{
		{0, at + "[l]", "maxItems", 4}, {0, at + "[l].items", "maxLength", 8},
		{0, at + "[m]", "maxProperties", 5}, {0, at + "[s]", "maxLength", 10},
		{0, at + "[none]", "maxLength", 1}, {1, at + "[s]", "maxLength", 1},
	})
	if got := w.Text("crd.yaml"); got != definitionOf(want) || len(left) != 2 {
		t.Errorf("%v\n%s", left, got)
	}
}
