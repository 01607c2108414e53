package openapi

import (
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/structural"
)

// The extensions of structural schemas.
const (
	preserveKeyword    = "x-kubernetes-preserve-unknown-fields"
	embeddedKeyword    = "x-kubernetes-embedded-resource"
	intOrStringKeyword = "x-kubernetes-int-or-string"
	listTypeKeyword    = "x-kubernetes-list-type"
	listKeysKeyword    = "x-kubernetes-list-map-keys"
	mapTypeKeyword     = "x-kubernetes-map-type"
	rulesKeyword       = "x-kubernetes-validations"
)

// ToSpec returns a schema as a spec schema, nil for nil (STR-130). The result
// shares nothing with the argument. [FromSpec] converts it back.
func ToSpec(s *structural.Schema) *spec.Schema {
	if s == nil {
		return nil
	}
	return toSpec(s)
}

func toSpec(s *structural.Schema) *spec.Schema {
	out := &spec.Schema{}
	describe(s, out)
	extend(s, out)
	restrict(s, out)
	if s.Items() != nil {
		out.Items = &spec.SchemaOrArray{Schema: toSpec(s.Items())}
	}
	if s.HasProperties() {
		out.Properties = make(map[string]spec.Schema, len(s.PropertyNames()))
		for name, property := range s.Properties() {
			out.Properties[name] = *toSpec(property)
		}
	}
	if a := s.AdditionalProperties(); a != nil {
		out.AdditionalProperties = &spec.SchemaOrBool{Allows: a.Allows, Schema: ToSpec(a.Schema)}
	}
	return out
}

func describe(s *structural.Schema, out *spec.Schema) {
	if s.Type() != "" {
		out.Type = spec.StringOrArray{s.Type()}
	}
	out.Title, out.Description, out.Nullable = s.Title(), s.Description(), s.Nullable()
	out.Default, out.Example = jsonvalue.DeepCopy(s.Default()), jsonvalue.DeepCopy(s.Example())
	if d := s.ExternalDocs(); d != nil {
		out.ExternalDocs = &spec.ExternalDocumentation{Description: d.Description, URL: d.URL}
	}
}

func extend(s *structural.Schema, out *spec.Schema) {
	for _, flag := range [...]struct {
		set     bool
		keyword string
	}{
		{s.PreservesUnknownFields(), preserveKeyword},
		{s.EmbeddedResource(), embeddedKeyword},
		{s.IntOrString(), intOrStringKeyword},
	} {
		if flag.set {
			out.AddExtension(flag.keyword, true)
		}
	}
	if s.HasListType() {
		out.AddExtension(listTypeKeyword, string(s.ListType()))
	}
	if keys := s.ListMapKeys(); len(keys) > 0 {
		out.AddExtension(listKeysKeyword, toList(keys, func(key string) any { return key }))
	}
	if s.HasMapType() {
		out.AddExtension(mapTypeKeyword, string(s.MapType()))
	}
	if rules := s.Rules(); len(rules) > 0 {
		out.AddExtension(rulesKeyword, toList(rules, ruleObject))
	}
}

func toList[T any](in []T, convert func(T) any) []any {
	out := make([]any, len(in))
	for i, item := range in {
		out[i] = convert(item)
	}
	return out
}

func ruleObject(r structural.Rule) any {
	out := map[string]any{"rule": r.Rule}
	for key, text := range map[string]string{
		"message": r.Message, "messageExpression": r.MessageExpression, "fieldPath": r.FieldPath,
	} {
		if text != "" {
			out[key] = text
		}
	}
	if r.HasReason {
		out["reason"] = r.Reason
	}
	if r.OptionalOldSelf != nil {
		out["optionalOldSelf"] = *r.OptionalOldSelf
	}
	return out
}

func restrict(s *structural.Schema, out *spec.Schema) {
	v := s.Values()
	out.Format, out.Pattern = v.Format, v.Pattern
	out.Maximum, out.Minimum = copyOf(v.Maximum), copyOf(v.Minimum)
	out.MultipleOf = copyOf(v.MultipleOf)
	out.ExclusiveMaximum, out.ExclusiveMinimum = v.ExclusiveMaximum, v.ExclusiveMinimum
	out.UniqueItems = v.UniqueItems
	out.MaxLength, out.MinLength = copyOf(v.MaxLength), copyOf(v.MinLength)
	out.MaxItems, out.MinItems = copyOf(v.MaxItems), copyOf(v.MinItems)
	out.MaxProperties, out.MinProperties = copyOf(v.MaxProperties), copyOf(v.MinProperties)
	if v.Required != nil {
		out.Required = append([]string{}, v.Required...)
	}
	if v.Enum != nil {
		out.Enum = toList(v.Enum, jsonvalue.DeepCopy)
	}
	out.AllOf, out.AnyOf, out.OneOf = branches(v.AllOf), branches(v.AnyOf), branches(v.OneOf)
	out.Not = ToSpec(v.Not)
}

func copyOf[T any](p *T) *T {
	if p == nil {
		return nil
	}
	value := *p
	return &value
}

func branches(in []*structural.Schema) []spec.Schema {
	if in == nil {
		return nil
	}
	out := make([]spec.Schema, len(in))
	for i, branch := range in {
		out[i] = *toSpec(branch)
	}
	return out
}
