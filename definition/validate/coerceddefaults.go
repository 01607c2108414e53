package validate

import (
	"github.com/crdsem/crdsem/internal/belowstructural/crd"
	"github.com/crdsem/crdsem/structural"
)

// While the server validates the defaults of a schema, it coerces the metadata
// of the embedded resources in them, in place (CRD-306). E.g. a default {kind:
// Pod, metadata: {creationTimestamp: null}} loses its null. Errors that show
// the whole schema, and comparisons of schemas, have the coerced defaults from
// then on. This file does the same without changing the schema.

// coercedDefaults has the coerced defaults by their nodes, those only that
// coercion changed.
type coercedDefaults map[*structural.Schema]any

// in returns a schema with these defaults. s is the model of props, which is
// not changed. Defaults inside the metadata of a resource are never coerced,
// although their nodes may be shared with nodes elsewhere.
func (t coercedDefaults) in(props *crd.JSONSchemaProps, s *structural.Schema) *crd.JSONSchemaProps {
	if props == nil {
		return nil
	}
	out := *props
	if value, ok := t[s]; ok {
		out.Default = value
	}
	if props.Items != nil {
		items := *props.Items
		items.Schema = t.in(items.Schema, s.Items())
		out.Items = &items
	}
	if props.Properties != nil {
		out.Properties = make(map[string]*crd.JSONSchemaProps, len(props.Properties))
		for name, property := range props.Properties {
			if !s.EmbeddedResource() || !ofResource(name) {
				property = t.in(property, s.Property(name))
			}
			out.Properties[name] = property
		}
	}
	return &out
}

// recordCoerced records a schema with its coerced defaults.
func (c *checker) recordCoerced(
	props *crd.JSONSchemaProps, s *structural.Schema, defaults coercedDefaults,
) {
	if len(defaults) == 0 {
		return
	}
	if c.coerced == nil {
		c.coerced = map[*crd.JSONSchemaProps]*crd.JSONSchemaProps{}
	}
	c.coerced[props] = defaults.in(props, s)
}

// coercedVersions returns the versions with the schemas that were recorded.
func (c *checker) coercedVersions(
	versions []crd.CustomResourceDefinitionVersion,
) []crd.CustomResourceDefinitionVersion {
	if len(c.coerced) == 0 {
		return versions
	}
	out := append([]crd.CustomResourceDefinitionVersion{}, versions...)
	for i := range out {
		if schema := out[i].Schema; schema != nil && c.coerced[schema.OpenAPIV3Schema] != nil {
			out[i].Schema = &crd.CustomResourceValidation{
				OpenAPIV3Schema: c.coerced[schema.OpenAPIV3Schema],
			}
		}
	}
	return out
}

// showCoerced replaces schemas and versions in errors by those with coerced
// defaults. Errors from before the coercion show it too, as they do on the
// server.
func (c *checker) showCoerced() {
	if len(c.coerced) == 0 {
		return
	}
	for _, e := range c.errs.List {
		switch value := e.BadValue.(type) {
		case *crd.JSONSchemaProps:
			if coerced, ok := c.coerced[value]; ok {
				e.BadValue = coerced
			}
		case []crd.CustomResourceDefinitionVersion:
			e.BadValue = c.coercedVersions(value)
		}
	}
}
