package definition

import (
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/belowstructural/crd"
)

// asStored returns a schema as it is read from storage. Storage rewrites the
// numbers in defaults and enums: a default of 1.0 is 1 from then on (DEF-019).
// p is not changed. It is returned itself if no value changes, which is the
// usual case.
func asStored(p *crd.JSONSchemaProps) *crd.JSONSchemaProps {
	for schema := range p.Distinct() {
		if _, changes := jsonvalue.AsStored(schema.Default); changes {
			return rewritten(p)
		}
		if _, changes := jsonvalue.EachItem(schema.Enum, jsonvalue.AsStored); changes {
			return rewritten(p)
		}
	}
	return p
}

// rewritten returns a copy of a schema with rewritten values, or the schema
// itself if no value changes.
func rewritten(p *crd.JSONSchemaProps) *crd.JSONSchemaProps {
	if p == nil {
		return nil
	}
	out, changed := *p, false
	note := func(c bool) { changed = changed || c }
	var c bool
	out.Default, c = jsonvalue.AsStored(p.Default)
	note(c)
	out.Enum, c = jsonvalue.EachItem(p.Enum, jsonvalue.AsStored)
	note(c)
	out.Properties, c = jsonvalue.EachMember(p.Properties, storedSchema)
	note(c)
	for _, branches := range []*[]*crd.JSONSchemaProps{&out.AllOf, &out.AnyOf, &out.OneOf} {
		*branches, c = jsonvalue.EachItem(*branches, storedSchema)
		note(c)
	}
	out.Not, c = storedSchema(p.Not)
	note(c)
	if p.Items != nil {
		items := *p.Items
		if items.Schema, c = storedSchema(p.Items.Schema); c {
			out.Items, changed = &items, true
		}
	}
	if p.AdditionalProperties != nil {
		additional := *p.AdditionalProperties
		if additional.Schema, c = storedSchema(p.AdditionalProperties.Schema); c {
			out.AdditionalProperties, changed = &additional, true
		}
	}
	if !changed {
		return p
	}
	return &out
}

func storedSchema(p *crd.JSONSchemaProps) (*crd.JSONSchemaProps, bool) {
	out := rewritten(p)
	return out, out != p
}
