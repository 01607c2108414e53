package definition_test

import (
	"testing"

	"github.com/crdsem/crdsem/definition"
)

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
