package openapi

import (
	"slices"

	"k8s.io/kube-openapi/pkg/validation/spec"
)

// lower takes from a schema, which it changes, what clients of OpenAPI v2 cannot read (CRD-502). A node comes before its children, so that
// these still say whether they are nullable.
func lower(s *spec.Schema) {
	s.AllOf, s.AnyOf, s.OneOf, s.Not = nil, nil, nil, nil
	if s.Nullable {
		s.Type, s.Nullable, s.Items, s.Properties = nil, false, nil, nil
	}
	preserves := isSet(s, preserveKeyword)
	if preserves {
		s.Items, s.Properties = nil, nil
	}
	if s.Type.Contains("array") && s.Items == nil || s.Type.Contains("object") && preserves {
		s.Type = nil
	}
	s.Required = slices.DeleteFunc(
		s.Required,
		func(name string) bool { return s.Properties[name].Nullable },
	)
	if a := s.AdditionalProperties; a != nil && a.Schema != nil && a.Schema.Nullable {
		s.Required = nil
	}
	eachChild(s, lower)
}
