package drift_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/app/drift"
	"github.com/crdsem/crdsem/internal/test/testschema"
	"github.com/crdsem/crdsem/merge/apply"
)

const definition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: boxes.ex.io}
status: {conditions: []}
spec:
  group: ex.io
  scope: Namespaced
  preserveUnknownFields: false
  names: {plural: boxes, kind: Box, shortNames: [], categories: [all]}
  versions:
  - name: v1
    served: true
    storage: true
    deprecated: false
    additionalPrinterColumns: [{name: A, type: string, jsonPath: .spec.a, priority: 0}]
    schema:
      openAPIV3Schema:
        type: object
        properties:
          required: {type: string, description: ""}
          spec:
            type: object
            required: []
            properties:
              a: {type: string, default: z, maxLength: 3, nullable: false}
              l: {type: array, items: {type: object, properties: {b: {type: string, default: w}}}}
`

// Empty values of a definition are left out, and names of properties are no
// keywords.
func TestOfDefinition(t *testing.T) {
	found, err := drift.OfDefinition(testschema.Object(t, definition))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range found {
		got = append(got, d.Path)
	}
	const schema = "spec.versions[0].schema.openAPIV3Schema.properties"
	want := []string{
		"spec.names.shortNames", "spec.preserveUnknownFields",
		"spec.versions[0].additionalPrinterColumns[0].priority", "spec.versions[0].deprecated",
		schema + "[required].description", schema + "[spec].properties[a].nullable",
		schema + "[spec].required", "status",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if _, err := drift.OfDefinition(map[string]any{"kind": "Pod"}); err == nil {
		t.Error("a Pod is a definition")
	}
}

// The drift of an object is what the server removes, and what it fills in below
// lists.
func TestOf(t *testing.T) {
	def, err := crdsem.Parse([]byte(definition), apply.Server())
	if err != nil {
		t.Fatal(err)
	}
	v, err := def.Version("v1")
	if err != nil {
		t.Fatal(err)
	}
	for spec, want := range map[string][]string{
		"{}":                  nil,
		"{a: x, l: []}":       nil,
		"{l: [{}]}":           {"spec.l[0].b DEF-002"},
		"{x: 1, l: [{b: c}]}": {"spec.x PRN-001"},
		"{a: null}":           {"spec.a DEF-002"},
	} {
		object := testschema.Object(t,
			"apiVersion: ex.io/v1\nkind: Box\nmetadata: {name: a}\nspec: "+spec)
		found, err := drift.Of(t.Context(), v, object)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, d := range found {
			got = append(got, d.Path+" "+d.Rule)
			if !slices.Equal(d.Tools, []drift.Tool{drift.ArgoCD}) {
				t.Errorf("%s: %v", d.Path, d.Tools)
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: %v, want %v", spec, got, want)
		}
	}
}
