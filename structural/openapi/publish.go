package openapi

import (
	"slices"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/crdsem/crdsem/structural"
)

// Kind has what a published schema says about a version in addition to its
// schema.
type Kind struct {
	Group, Version, Kind string
	// SelectableFields are the JSON paths of the version's selectable fields,
	// e.g. ".spec.color".
	SelectableFields []string
	// PreservesUnknownFields is spec.preserveUnknownFields.
	PreservesUnknownFields bool
}

// Name returns the name under which a server publishes the schema, e.g.
// "com.example.stable.v1.CronTab".
func (k Kind) Name() string {
	group := strings.Split(k.Group, ".")
	slices.Reverse(group)
	return strings.Join(append(group, k.Version, k.Kind), ".")
}

// PublishV3 returns a version's schema as a server publishes it at /openapi/v3
// (CRD-500 to CRD-504). It is complete: int-or-string is expanded, and
// apiVersion, kind and metadata have schemas, at the root and in embedded
// resources. A schema that is nil, not structural or has unknown types is
// published as an object with unknown fields.
func PublishV3(s *structural.Schema, kind Kind) *spec.Schema {
	p := publisher{
		refs:      "#/components/schemas/",
		completed: func(*spec.Schema) bool { return true },
	}
	var out *spec.Schema
	if isPublishable(s) {
		out = p.publish(ToSpec(structural.ExpandIntOrString(s)))
	} else {
		out = anyObject()
	}
	dropNestedMaps(out)
	return withKind(out, kind)
}

// PublishV2 is like PublishV3 for /openapi/v2. Its clients do not know
// junctors, null and objects with unknown fields, therefore the schema is
// weaker there (CRD-502). Of the schemas that the server publishes for
// /openapi/v2, only those of custom resources keep their defaults.
func PublishV2(s *structural.Schema, kind Kind) *spec.Schema {
	p := publisher{
		refs:      "#/definitions/",
		completed: func(s *spec.Schema) bool { return !isSet(s, preserveKeyword) },
	}
	if !isPublishable(s) || s.PreservesUnknownFields() || kind.PreservesUnknownFields {
		return withKind(anyObject(), kind)
	}
	out := ToSpec(structural.ExpandIntOrString(s))
	lower(out)
	return withKind(p.publish(out), kind)
}

func anyObject() *spec.Schema {
	return &spec.Schema{SchemaProps: spec.SchemaProps{Type: spec.StringOrArray{"object"}}}
}

// isPublishable reports whether a server publishes a schema as it is.
func isPublishable(s *structural.Schema) bool {
	if s == nil || len(structural.Validate(s, nil)) > 0 {
		return false
	}
	known := true
	check := func(n *structural.Schema) {
		switch n.Type() {
		case "", "array", "boolean", "integer", "number", "object", "string":
		default:
			known = false
		}
	}
	structural.Visit(s, structural.Visitor{Spine: check, Nested: check})
	return known
}

// withKind adds the extensions for the kind and its selectable fields.
func withKind(s *spec.Schema, kind Kind) *spec.Schema {
	s.AddExtension("x-kubernetes-group-version-kind", []any{
		map[string]any{"group": kind.Group, "version": kind.Version, "kind": kind.Kind},
	})
	if len(kind.SelectableFields) > 0 {
		fields := toList(kind.SelectableFields, func(path string) any {
			return map[string]any{"fieldPath": strings.TrimPrefix(path, ".")}
		})
		s.AddExtension("x-kubernetes-selectable-fields", fields)
	}
	return s
}

func isSet(s *spec.Schema, keyword string) bool {
	set, _ := s.Extensions[keyword].(bool)
	return set
}

// publisher adds the fields that all resources have.
type publisher struct {
	refs      string                  // prefix of references
	completed func(*spec.Schema) bool // reports whether an embedded resource gets the fields
}

// The server's descriptions, to the letter.
const (
	moreInfo = " More info: " +
		"https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#"
	apiVersionMeaning = "apiVersion defines the versioned schema of this representation of an " +
		"object."
	metadataMeaning       = "Standard object's metadata." + moreInfo + "metadata"
	objectMeta            = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"
	rootAPIVersionMeaning = "APIVersion defines the versioned schema of this representation of " +
		"an object. Servers should convert recognized schemas to the latest internal value, and " +
		"may reject unrecognized values." + moreInfo + "resources"
	rootKindMeaning = "Kind is a string value representing the REST resource this object " +
		"represents. Servers may infer this from the endpoint the client submits requests to. " +
		"Cannot be updated. In CamelCase." + moreInfo + "types-kinds"
	embeddedKindMeaning = "kind is a string value representing the type of this object. " +
		"In CamelCase." + moreInfo + "types-kinds"
)

// publish completes the root, which it changes, and all embedded resources
// below it.
func (p publisher) publish(root *spec.Schema) *spec.Schema {
	root.SetProperty("metadata", p.metadata())
	root.SetProperty("apiVersion", stringSchema(rootAPIVersionMeaning))
	root.SetProperty("kind", stringSchema(rootKindMeaning))
	p.embedded(root)
	return root
}

func stringSchema(description string) spec.Schema {
	return spec.Schema{
		SchemaProps: spec.SchemaProps{Type: spec.StringOrArray{"string"}, Description: description},
	}
}

// metadata returns a reference to the server's schema of metadata. In OpenAPI
// v3 a reference excludes all other keywords, therefore it is inside an allOf.
func (p publisher) metadata() spec.Schema {
	ref := *spec.RefSchema(p.refs + objectMeta)
	if p.refs == "#/definitions/" {
		return *ref.WithDescription(metadataMeaning)
	}
	return spec.Schema{
		SchemaProps: spec.SchemaProps{Description: metadataMeaning, AllOf: []spec.Schema{ref}},
	}
}

// embedded completes the embedded resources on the spine of a schema.
func (p publisher) embedded(s *spec.Schema) {
	if s == nil {
		return
	}
	for name, property := range s.Properties {
		p.embedded(&property)
		s.Properties[name] = property
	}
	if s.Items != nil {
		p.embedded(s.Items.Schema)
	}
	if s.AdditionalProperties != nil {
		p.embedded(s.AdditionalProperties.Schema)
	}
	if !isSet(s, embeddedKeyword) || !p.completed(s) {
		return
	}
	s.SetProperty("apiVersion", stringSchema(apiVersionMeaning+moreInfo+"resources"))
	s.SetProperty("kind", stringSchema(embeddedKindMeaning))
	s.SetProperty("metadata", p.metadata())
	for _, name := range [...]string{"kind", "apiVersion"} {
		if !slices.Contains(s.Required, name) {
			s.Required = append(s.Required, name)
		}
	}
}

// lower removes the keywords that clients of OpenAPI v2 cannot read (CRD-502).
// It changes its argument. A node comes before its children, because it must
// see whether they are nullable.
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
	isNullable := func(name string) bool { return s.Properties[name].Nullable }
	s.Required = slices.DeleteFunc(s.Required, isNullable)
	if a := s.AdditionalProperties; a != nil && a.Schema != nil && a.Schema.Nullable {
		s.Required = nil
	}
	eachChild(s, lower)
}

// dropNestedMaps removes additionalProperties from nested nodes. In a
// structural schema the value can only be false there, and the server loses it
// (STR-028).
func dropNestedMaps(s *spec.Schema) {
	eachChild(s, dropNestedMaps)
	drop := func(n *spec.Schema) { n.AdditionalProperties = nil }
	eachBranch(s, func(branch *spec.Schema) { everywhere(branch, drop) })
}

func everywhere(s *spec.Schema, do func(*spec.Schema)) {
	do(s)
	down := func(child *spec.Schema) { everywhere(child, do) }
	eachChild(s, down)
	eachBranch(s, down)
}

// eachChild calls do for the children of a schema. do may change them.
func eachChild(s *spec.Schema, do func(*spec.Schema)) {
	for name, property := range s.Properties {
		do(&property)
		s.Properties[name] = property
	}
	if s.Items != nil && s.Items.Schema != nil {
		do(s.Items.Schema)
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
		do(s.AdditionalProperties.Schema)
	}
}

// eachBranch calls do for the branches of a schema. do may change them.
func eachBranch(s *spec.Schema, do func(*spec.Schema)) {
	for _, branches := range [...][]spec.Schema{s.AllOf, s.AnyOf, s.OneOf} {
		for i := range branches {
			do(&branches[i])
		}
	}
	if s.Not != nil {
		do(s.Not)
	}
}
