package crd

import "iter"

// Distinct is All for who asks what there is, not where: in an order that means nothing, and without coming again to what is in a schema that
// stands at several places.
func (p *JSONSchemaProps) Distinct() iter.Seq[*JSONSchemaProps] {
	return func(yield func(*JSONSchemaProps) bool) {
		w := walk{yield: yield, seen: map[*JSONSchemaProps]struct{}{}}
		w.schema(p)
	}
}

// walk calls yield for schemas until it returns false, as the methods do then.
type walk struct {
	yield func(*JSONSchemaProps) bool
	seen  map[*JSONSchemaProps]struct{} // that have schemas in them
}

func (w *walk) schema(p *JSONSchemaProps) bool {
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

// isLeaf tells whether a schema surely has no schemas in it.
func (p *JSONSchemaProps) isLeaf() bool {
	return p.Items == nil && len(p.Properties) == 0 && p.AdditionalProperties == nil && p.AllOf == nil && p.AnyOf == nil && p.OneOf == nil &&
		p.Not == nil && p.PatternProperties == nil && p.AdditionalItems == nil && p.Definitions == nil && p.Dependencies == nil
}

func (w *walk) list(schemas []*JSONSchemaProps) bool {
	for _, s := range schemas {
		if !w.schema(s) {
			return false
		}
	}
	return true
}

func (w *walk) named(schemas map[string]*JSONSchemaProps) bool {
	for _, s := range schemas {
		if !w.schema(s) {
			return false
		}
	}
	return true
}

func (w *walk) dependencies(dependencies map[string]*SchemaOrStringArray) bool {
	for _, d := range dependencies {
		if !w.schema(d.Schema) {
			return false
		}
	}
	return true
}
