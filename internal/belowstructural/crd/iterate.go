package crd

import (
	"iter"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
)

// All iterates over a schema and every schema in it, including those of
// unsupported keywords. A node comes before the nodes in it, and entries of
// maps come sorted by name. A node that stands at several places comes as
// often. A nil schema yields nothing.
func (p *JSONSchemaProps) All() iter.Seq[*JSONSchemaProps] {
	return func(yield func(*JSONSchemaProps) bool) { p.each(yield) }
}

// each calls yield for the schema and all schemas in it until yield returns
// false.
func (p *JSONSchemaProps) each(yield func(*JSONSchemaProps) bool) bool {
	if p == nil {
		return true
	}
	return yield(p) &&
		(p.Items == nil || p.Items.Schema.each(yield) && eachOf(p.Items.JSONSchemas, yield)) &&
		eachOf(p.AllOf, yield) && eachOf(p.AnyOf, yield) && eachOf(p.OneOf, yield) &&
		p.Not.each(yield) &&
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

func eachDependency(
	dependencies map[string]*JSONSchemaPropsOrStringArray, yield func(*JSONSchemaProps) bool,
) bool {
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

// Distinct iterates over the distinct schemas of All, in no particular order.
// It enters a schema that stands at several places once.
func (p *JSONSchemaProps) Distinct() iter.Seq[*JSONSchemaProps] {
	return func(yield func(*JSONSchemaProps) bool) {
		w := distinctWalk{yield: yield, seen: map[*JSONSchemaProps]struct{}{}}
		w.schema(p)
	}
}

// distinctWalk calls yield for schemas until yield returns false. Its methods
// return false from then on.
type distinctWalk struct {
	yield func(*JSONSchemaProps) bool
	seen  map[*JSONSchemaProps]struct{} // the entered schemas, without leaves
}

func (w *distinctWalk) schema(p *JSONSchemaProps) bool {
	switch {
	case p == nil:
		return true
	case p.isLeaf():
		return w.yield(p)
	}
	if _, ok := w.seen[p]; ok {
		return true
	}
	w.seen[p] = struct{}{}
	return w.yield(p) &&
		(p.Items == nil || w.schema(p.Items.Schema) && w.list(p.Items.JSONSchemas)) &&
		w.list(p.AllOf) && w.list(p.AnyOf) && w.list(p.OneOf) && w.schema(p.Not) &&
		w.named(p.Properties) &&
		(p.AdditionalProperties == nil || w.schema(p.AdditionalProperties.Schema)) &&
		w.named(p.PatternProperties) &&
		(p.AdditionalItems == nil || w.schema(p.AdditionalItems.Schema)) &&
		w.named(p.Definitions) && w.dependencies(p.Dependencies)
}

// isLeaf reports whether a schema surely holds no schemas.
func (p *JSONSchemaProps) isLeaf() bool {
	return p.Items == nil && len(p.Properties) == 0 && p.AdditionalProperties == nil &&
		p.AllOf == nil && p.AnyOf == nil && p.OneOf == nil && p.Not == nil &&
		p.PatternProperties == nil && p.AdditionalItems == nil &&
		p.Definitions == nil && p.Dependencies == nil
}

func (w *distinctWalk) list(schemas []*JSONSchemaProps) bool {
	for _, s := range schemas {
		if !w.schema(s) {
			return false
		}
	}
	return true
}

func (w *distinctWalk) named(schemas map[string]*JSONSchemaProps) bool {
	for _, s := range schemas {
		if !w.schema(s) {
			return false
		}
	}
	return true
}

func (w *distinctWalk) dependencies(dependencies map[string]*JSONSchemaPropsOrStringArray) bool {
	for _, d := range dependencies {
		if !w.schema(d.Schema) {
			return false
		}
	}
	return true
}
