package openapi

import (
	"fmt"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/belowfacade/decoded"
	"github.com/crdsem/crdsem/internal/belowstructural/crd"
	"github.com/crdsem/crdsem/structural"
)

// FromSpec builds the model of a spec schema; nil gives nil. It neither changes
// nor keeps its argument, and it ignores extensions that structural schemas do
// not have.
//
// It fails with a *structural.ConversionError if the schema uses a keyword that
// no structural schema can have. It fails with a *structural.DecodeError if a
// node has several types or if an extension has the wrong type.
func FromSpec(s *spec.Schema) (*structural.Schema, error) {
	if s == nil {
		return nil, nil
	}
	var r reader
	props := r.schema(s)
	if r.err != nil {
		return nil, &structural.DecodeError{Err: r.err}
	}
	return structural.Parse(nil, decoded.Schema(props, nil))
}

// reader keeps the first error.
type reader struct{ err error }

func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf(format, args...)
	}
}

func (r *reader) schema(s *spec.Schema) *crd.JSONSchemaProps {
	if s == nil {
		return nil
	}
	p := &crd.JSONSchemaProps{
		ID: s.ID, Schema: string(s.Schema), Description: s.Description, Title: s.Title,
		Nullable: s.Nullable, Format: s.Format,
		Default: jsonvalue.DeepCopy(s.Default), Example: jsonvalue.DeepCopy(s.Example),
		Maximum: copyOf(s.Maximum), Minimum: copyOf(s.Minimum), MultipleOf: copyOf(s.MultipleOf),
		ExclusiveMaximum: s.ExclusiveMaximum, ExclusiveMinimum: s.ExclusiveMinimum,
		UniqueItems: s.UniqueItems,
		MaxLength:   copyOf(s.MaxLength), MinLength: copyOf(s.MinLength), Pattern: s.Pattern,
		MaxItems: copyOf(s.MaxItems), MinItems: copyOf(s.MinItems),
		MaxProperties: copyOf(s.MaxProperties), MinProperties: copyOf(s.MinProperties),
		AllOf: r.schemas(s.AllOf), AnyOf: r.schemas(s.AnyOf), OneOf: r.schemas(s.OneOf),
		Not:        r.schema(s.Not),
		Properties: r.named(s.Properties), PatternProperties: r.named(s.PatternProperties),
		Definitions:          r.named(s.Definitions),
		AdditionalProperties: r.schemaOrBool(s.AdditionalProperties),
		AdditionalItems:      r.schemaOrBool(s.AdditionalItems),
	}
	switch len(s.Type) {
	case 0:
	case 1:
		p.Type = s.Type[0]
	default:
		r.fail("a node has the types %q; it can have one", []string(s.Type))
	}
	if ref := s.Ref.String(); ref != "" {
		p.Ref = &ref
	}
	p.Enum = toList(s.Enum, jsonvalue.DeepCopy)
	if s.Required != nil {
		p.Required = append([]string{}, s.Required...)
	}
	if s.ExternalDocs != nil {
		p.ExternalDocs = &crd.ExternalDocumentation{
			Description: s.ExternalDocs.Description, URL: s.ExternalDocs.URL,
		}
	}
	if s.Items != nil {
		p.Items = &crd.JSONSchemaPropsOrArray{
			Schema: r.schema(s.Items.Schema), JSONSchemas: r.schemas(s.Items.Schemas),
		}
	}
	r.dependencies(p, s.Dependencies)
	r.extensions(p, s.Extensions)
	return p
}

func (r *reader) schemas(in []spec.Schema) []*crd.JSONSchemaProps {
	if in == nil {
		return nil
	}
	out := make([]*crd.JSONSchemaProps, len(in))
	for i := range in {
		out[i] = r.schema(&in[i])
	}
	return out
}

func (r *reader) named(in map[string]spec.Schema) map[string]*crd.JSONSchemaProps {
	if in == nil {
		return nil
	}
	out := make(map[string]*crd.JSONSchemaProps, len(in))
	for _, name := range jsonvalue.SortedKeys(in) {
		s := in[name]
		out[name] = r.schema(&s)
	}
	return out
}

func (r *reader) schemaOrBool(in *spec.SchemaOrBool) *crd.JSONSchemaPropsOrBool {
	if in == nil {
		return nil
	}
	return &crd.JSONSchemaPropsOrBool{
		Allows: in.Allows || in.Schema != nil, Schema: r.schema(in.Schema),
	}
}

func (r *reader) dependencies(p *crd.JSONSchemaProps, in spec.Dependencies) {
	if in == nil {
		return
	}
	p.Dependencies = make(map[string]*crd.JSONSchemaPropsOrStringArray, len(in))
	for name, d := range in {
		schema := r.schema(d.Schema)
		p.Dependencies[name] = &crd.JSONSchemaPropsOrStringArray{
			Schema: schema, Property: d.Property,
		}
	}
}

// extensions reads the extensions of structural schemas with the reader of
// documents, because they have the form of documents.
func (r *reader) extensions(p *crd.JSONSchemaProps, in spec.Extensions) {
	known := map[string]any{}
	for _, keyword := range [...]string{
		preserveKeyword, embeddedKeyword, intOrStringKeyword,
		listTypeKeyword, listKeysKeyword, mapTypeKeyword, rulesKeyword,
	} {
		if value, ok := in[keyword]; ok {
			known[keyword] = generic(value)
		}
	}
	if len(known) == 0 {
		return
	}
	read, ok := crd.SchemaFromValue(known)
	if !ok {
		r.fail("an extension is of the wrong kind: %v", known)
		return
	}
	p.XPreserveUnknownFields = read.XPreserveUnknownFields
	p.XEmbeddedResource, p.XIntOrString = read.XEmbeddedResource, read.XIntOrString
	p.XListType, p.XListMapKeys, p.XMapType = read.XListType, read.XListMapKeys, read.XMapType
	p.XValidations = read.XValidations
}

// generic returns a list of strings as documents have it.
func generic(value any) any {
	if texts, ok := value.([]string); ok {
		return toList(texts, func(s string) any { return s })
	}
	return value
}
