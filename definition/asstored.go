package definition

import (
	"maps"
	"slices"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/chapter/crd"
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
		if _, changes := eachItem(schema.Enum, jsonvalue.AsStored); changes {
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
	out.Enum, c = eachItem(p.Enum, jsonvalue.AsStored)
	note(c)
	out.Properties, c = eachMember(p.Properties, storedSchema)
	note(c)
	for _, branches := range []*[]*crd.JSONSchemaProps{&out.AllOf, &out.AnyOf, &out.OneOf} {
		*branches, c = eachItem(*branches, storedSchema)
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

// eachItem returns a list with replaced items, and whether some item changed.
// If none did, it is the list itself.
func eachItem[T any](list []T, replace func(T) (T, bool)) ([]T, bool) {
	out, changed := list, false
	for i, item := range list {
		other, ok := replace(item)
		if !ok {
			continue
		}
		if !changed {
			out, changed = slices.Clone(list), true
		}
		out[i] = other
	}
	return out, changed
}

// eachMember is eachItem over the values of a map.
func eachMember[T any](members map[string]T, replace func(T) (T, bool)) (map[string]T, bool) {
	out, changed := members, false
	for key, member := range members {
		other, ok := replace(member)
		if !ok {
			continue
		}
		if !changed {
			out, changed = maps.Clone(members), true
		}
		out[key] = other
	}
	return out, changed
}
