package definition

import (
	"github.com/crdsem/crdsem/internal/crd"
	"github.com/crdsem/crdsem/structural"
)

// trimmedDefaults has, by their nodes, the defaults that the server changes while it checks them: it brings the metadata of the
// resources in them into its normal form, in place (CRD-306). What is reported or compared of the schema as a whole has them that way.
type trimmedDefaults map[*structural.Schema]any

// in returns a schema with these defaults; s is its model. The argument is not changed. Nodes that are equal can be one, but those in the
// metadata of a resource are checked apart, and left as they are.
func (t trimmedDefaults) in(props *crd.JSONSchemaProps, s *structural.Schema) *crd.JSONSchemaProps {
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

// keepTrimmed notes how a schema is shown, and compared, after its defaults were checked.
func (c *checker) keepTrimmed(props *crd.JSONSchemaProps, s *structural.Schema, defaults trimmedDefaults) {
	if len(defaults) == 0 {
		return
	}
	if c.trimmed == nil {
		c.trimmed = map[*crd.JSONSchemaProps]*crd.JSONSchemaProps{}
	}
	c.trimmed[props] = defaults.in(props, s)
}

// trimmedVersions returns the versions with the schemas that keepTrimmed noted.
func (c *checker) trimmedVersions(versions []crd.CustomResourceDefinitionVersion) []crd.CustomResourceDefinitionVersion {
	if len(c.trimmed) == 0 {
		return versions
	}
	out := append([]crd.CustomResourceDefinitionVersion{}, versions...)
	for i := range out {
		if schema := out[i].Schema; schema != nil && c.trimmed[schema.OpenAPIV3Schema] != nil {
			out[i].Schema = &crd.CustomResourceValidation{OpenAPIV3Schema: c.trimmed[schema.OpenAPIV3Schema]}
		}
	}
	return out
}

// showTrimmed makes the errors that show a schema, or all versions, show the defaults as they are in the end: the errors may be
// older than the change.
func (c *checker) showTrimmed() {
	if len(c.trimmed) == 0 {
		return
	}
	for _, e := range c.errs {
		switch value := e.BadValue.(type) {
		case *crd.JSONSchemaProps:
			if trimmed, ok := c.trimmed[value]; ok {
				e.BadValue = trimmed
			}
		case []crd.CustomResourceDefinitionVersion:
			e.BadValue = c.trimmedVersions(value)
		}
	}
}
