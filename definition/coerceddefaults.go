package definition

import (
	"github.com/crdsem/crdsem/internal/crd"
	"github.com/crdsem/crdsem/structural"
)

// coercedDefaults has, by their nodes, the defaults that the server changes while it checks them: it brings the metadata of the
// resources in them into its normal form, in place (CRD-306). What is reported or compared of the schema as a whole has them that way.
type coercedDefaults map[*structural.Schema]any

// in returns a schema with these defaults; s is its model. The argument is not changed. Nodes that are equal can be one, but those in the
// metadata of a resource are checked apart, and left as they are.
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

// recordCoerced notes how a schema is shown, and compared, after its defaults were checked.
func (c *checker) recordCoerced(props *crd.JSONSchemaProps, s *structural.Schema, defaults coercedDefaults) {
	if len(defaults) == 0 {
		return
	}
	if c.coerced == nil {
		c.coerced = map[*crd.JSONSchemaProps]*crd.JSONSchemaProps{}
	}
	c.coerced[props] = defaults.in(props, s)
}

// coercedVersions returns the versions with the schemas that recordCoerced noted.
func (c *checker) coercedVersions(versions []crd.CustomResourceDefinitionVersion) []crd.CustomResourceDefinitionVersion {
	if len(c.coerced) == 0 {
		return versions
	}
	out := append([]crd.CustomResourceDefinitionVersion{}, versions...)
	for i := range out {
		if schema := out[i].Schema; schema != nil && c.coerced[schema.OpenAPIV3Schema] != nil {
			out[i].Schema = &crd.CustomResourceValidation{OpenAPIV3Schema: c.coerced[schema.OpenAPIV3Schema]}
		}
	}
	return out
}

// showCoerced makes the errors that show a schema, or all versions, show the defaults as they are in the end: the errors may be
// older than the change.
func (c *checker) showCoerced() {
	if len(c.coerced) == 0 {
		return
	}
	for _, e := range c.errs {
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
