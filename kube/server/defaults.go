package server

import (
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/crdsem/crdsem/objectmeta"
	"github.com/crdsem/crdsem/structural"
)

// withCoercedDefaults returns the spec of a definition as the server stores it:
// it coerces the metadata of embedded resources in defaults when it validates
// them.
func withCoercedDefaults(spec map[string]any) map[string]any {
	if !embeds(spec) {
		return spec
	}
	spec = runtime.DeepCopyJSON(spec)
	versions, _ := spec["versions"].([]any)
	for i := range versions {
		version, _ := versions[i].(map[string]any)
		schema, _ := version["schema"].(map[string]any)
		root, _ := schema["openAPIV3Schema"].(map[string]any)
		if s, err := structural.FromMap(root); err == nil {
			coerceDefaults(root, s)
		}
	}
	return spec
}

// coerceDefaults changes the defaults of a schema and below it.
func coerceDefaults(schema any, s *structural.Schema) {
	fields, ok := schema.(map[string]any)
	if !ok || s == nil {
		return
	}
	if value := fields["default"]; value != nil {
		_, _ = objectmeta.Coerce(value, s) // validation has refused what is malformed
	}
	properties, _ := fields["properties"].(map[string]any)
	for name := range properties {
		coerceDefaults(properties[name], s.Property(name))
	}
	coerceDefaults(fields["items"], s.Items())
	coerceDefaults(fields["additionalProperties"], s.AdditionalSchema())
}

// embeds reports whether a definition has embedded resources.
func embeds(value any) bool {
	switch value := value.(type) {
	case []any:
		for _, item := range value {
			if embeds(item) {
				return true
			}
		}
	case map[string]any:
		for name, field := range value {
			if name == "x-kubernetes-embedded-resource" || embeds(field) {
				return true
			}
		}
	}
	return false
}
