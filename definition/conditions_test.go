package definition_test

import (
	"fmt"
	"testing"

	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/definition/validate"
)

func decode(t *testing.T, data []byte) *definition.CRD {
	t.Helper()
	crd, _, err := definition.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	return crd
}

// A definition whose unknown fields are preserved may stay without a structural
// schema, one that does not convert included (CRD-143).
func TestUpdatesToNonStructuralSchema(t *testing.T) {
	const form = `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"ks.g.io","resourceVersion":"1","generation":1},
		"spec":{"group":"g.io","scope":"Cluster","names":{"plural":"ks","singular":"k","kind":"K","listKind":"KList"},"preserveUnknownFields":true,
		"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object"%s}}}]}}`
	updated := decode(t, fmt.Appendf(nil, form, `,"properties":{"a":{}}`))
	const refusal = "[spec.validation.openAPIV3Schema.properties[a].type: Required value: " +
		"must not be empty for specified object fields]"
	for schema, want := range map[string]string{
		``:                       refusal,
		`,"$ref":"a"`:            "[]",
		`,"properties":{"b":{}}`: "[]",
		`,"properties":{"a":{"type":"array","items":[{"type":"string"}]}}`: "[]",
	} {
		old := decode(t, fmt.Appendf(nil, form, schema))
		result := validate.Update(t.Context(), updated.ForUpdate(old), old.ForCreate())
		if got := fmt.Sprint(result.Errors); got != want {
			t.Errorf("after %s: %s, want %s", schema, got, want)
		}
	}
}

// The message names every violation at its version, or the first schema that
// does not convert (CRD-600).
func TestNonStructuralSchema(t *testing.T) {
	for _, tc := range []struct {
		name, crd string
		want      *definition.Condition
	}{
		{"structural", `{"spec":{"versions":[{"name":"v1","schema":{"openAPIV3Schema":{"type":"object"}}}]}}`, nil},
		{"no schema", `{"spec":{"versions":[{"name":"v1"}]}}`, nil},
		{
			"violations", `{"spec":{"versions":[{"name":"v1","schema":{"openAPIV3Schema":{}}},{"name":"v2","schema":{"openAPIV3Schema":{"type":"array"}}}]}}`,
			&definition.Condition{
				Type: "NonStructuralSchema", Status: "True", Reason: "Violations",
				Message: `[spec.versions[0].schema.openAPIV3Schema.type: Required value: must not be empty at the root, ` +
					`spec.versions[1].schema.openAPIV3Schema.items: Required value: must be specified, ` +
					`spec.versions[1].schema.openAPIV3Schema.type: Invalid value: "array": must be object at the root]`,
			},
		},
		{
			"unknown fields preserved", `{"spec":{"preserveUnknownFields":true,"versions":[{"name":"v1"}]}}`,
			&definition.Condition{
				Type: "NonStructuralSchema", Status: "True", Reason: "Violations",
				Message: `spec.preserveUnknownFields: Invalid value: true: must be false`,
			},
		},
		{
			"no conversion", `{"spec":{"versions":[{"name":"v1","schema":{"openAPIV3Schema":{}}},{"name":"v2","schema":{"openAPIV3Schema":{"$ref":"a"}}}]}}`,
			&definition.Condition{
				Type: "NonStructuralSchema", Status: "Unknown", Reason: "StructuralError",
				Message: `failed to check validation schema for version v2: OpenAPIV3Schema '$ref' is not supported`,
			},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := definition.NonStructuralSchema(decode(t, []byte(tc.crd)))
			if (got == nil) != (tc.want == nil) || got != nil && *got != *tc.want {
				t.Errorf("got %+v, want %+v", got, tc.want)
			}
		})
	}
}
