package crd

import (
	"iter"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
)

// All iterates over a schema and every schema in it, those of unsupported keywords included: a node comes before what is in it, entries of
// maps in the order of their names. One that stands at several places comes as often. A nil schema has none.
func (p *JSONSchemaProps) All() iter.Seq[*JSONSchemaProps] {
	return func(yield func(*JSONSchemaProps) bool) { p.each(yield) }
}

// each calls yield for the schema and all below it until it returns false.
func (p *JSONSchemaProps) each(yield func(*JSONSchemaProps) bool) bool {
	if p == nil {
		return true
	}
	return yield(p) &&
		(p.Items == nil || p.Items.Schema.each(yield) && eachOf(p.Items.JSONSchemas, yield)) &&
		eachOf(p.AllOf, yield) && eachOf(p.AnyOf, yield) && eachOf(p.OneOf, yield) && p.Not.each(yield) &&
		eachIn(p.Properties, yield) &&
		(p.AdditionalProperties == nil || p.AdditionalProperties.Schema.each(yield)) &&
		eachIn(p.PatternProperties, yield) &&
		(p.AdditionalItems == nil || p.AdditionalItems.Schema.each(yield)) &&
		eachIn(p.Definitions, yield) && eachDependency(p.Dependencies, yield)
}

func eachOf(schemas []*JSONSchemaProps, yield func(*JSONSchemaProps) bool) bool {
	for _, s := range schemas {
		if !s.each(yield) {
			return false
		}
	}
	return true
}

func eachIn(schemas map[string]*JSONSchemaProps, yield func(*JSONSchemaProps) bool) bool {
	if len(schemas) == 0 {
		return true
	}
	for _, name := range jsonvalue.SortedKeys(schemas) {
		if !schemas[name].each(yield) {
			return false
		}
	}
	return true
}

func eachDependency(dependencies map[string]*SchemaOrStringArray, yield func(*JSONSchemaProps) bool) bool {
	if len(dependencies) == 0 {
		return true
	}
	for _, name := range jsonvalue.SortedKeys(dependencies) {
		if !dependencies[name].Schema.each(yield) {
			return false
		}
	}
	return true
}
