package definition

import (
	"slices"

	"github.com/crdsem/crdsem/internal/belowstructural/crd"
)

// hasOptionalOldSelf reports whether a rule of a spec sets optionalOldSelf.
func hasOptionalOldSelf(spec *crd.CustomResourceDefinitionSpec) bool {
	return spec.AnyNode(func(s *crd.JSONSchemaProps) bool {
		return slices.ContainsFunc(s.XValidations, func(r crd.ValidationRule) bool {
			return r.OptionalOldSelf != nil
		})
	})
}

// dropOptionalOldSelf removes optionalOldSelf from the rules of a spec, whose
// schemas it does not change in place.
func dropOptionalOldSelf(spec *crd.CustomResourceDefinitionSpec) {
	if !hasOptionalOldSelf(spec) {
		return
	}
	spec.Validation = withoutOptionals(spec.Validation)
	spec.Versions = slices.Clone(spec.Versions)
	for i := range spec.Versions {
		spec.Versions[i].Schema = withoutOptionals(spec.Versions[i].Schema)
	}
}

func withoutOptionals(v *crd.CustomResourceValidation) *crd.CustomResourceValidation {
	if v == nil {
		return nil
	}
	return &crd.CustomResourceValidation{OpenAPIV3Schema: withoutOptional(v.OpenAPIV3Schema)}
}

// withoutOptional returns a copy of a schema and of what is below it in
// properties, items and additionalProperties. Its rules have no
// optionalOldSelf.
func withoutOptional(s *crd.JSONSchemaProps) *crd.JSONSchemaProps {
	if s == nil {
		return nil
	}
	out := *s
	out.XValidations = slices.Clone(s.XValidations)
	for i := range out.XValidations {
		out.XValidations[i].OptionalOldSelf = nil
	}
	if s.AdditionalProperties != nil {
		additional := *s.AdditionalProperties
		additional.Schema = withoutOptional(additional.Schema)
		out.AdditionalProperties = &additional
	}
	if s.Properties != nil {
		out.Properties = make(map[string]*crd.JSONSchemaProps, len(s.Properties))
		for name, property := range s.Properties {
			out.Properties[name] = withoutOptional(property)
		}
	}
	if s.Items != nil {
		items := *s.Items
		items.Schema = withoutOptional(items.Schema)
		items.JSONSchemas = slices.Clone(items.JSONSchemas)
		for i, item := range items.JSONSchemas {
			items.JSONSchemas[i] = withoutOptional(item)
		}
		out.Items = &items
	}
	return &out
}
