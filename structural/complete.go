package structural

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/base/schemapath"
)

// restrictionsComplete checks that each field that the junctors of a node
// restrict is specified on the spine (STR-090 to STR-095). Only the junctors of
// the root are checked; those of deeper spine nodes may restrict any field
// (STR-093). An error is reported where the specification is missing, e.g.
// properties[name], and names the restriction, e.g. anyOf[0].properties[name].
func (c *checker) restrictionsComplete(v, spine *Schema, spineAt, at *schemapath.Path) {
	if c.errs.Full() {
		return
	}
	for i, branch := range v.Values().AllOf {
		below := at.Indexed("allOf", i)
		c.complete(branch, spine, spineAt, &below)
	}
	for i, branch := range v.Values().AnyOf {
		below := at.Indexed("anyOf", i)
		c.complete(branch, spine, spineAt, &below)
	}
	for i, branch := range v.Values().OneOf {
		below := at.Indexed("oneOf", i)
		c.complete(branch, spine, spineAt, &below)
	}
	if v.Values().Not != nil {
		below := at.Child("not")
		c.complete(v.Values().Not, spine, spineAt, &below)
	}
}

// specified checks a child of a nested node against the spine node that it
// restricts. If there is no such node, that breaks the rule.
func (c *checker) specified(rule string, v, spine *Schema, spineAt, at *schemapath.Path) {
	if c.errs.Full() {
		return
	}
	if spine == nil {
		err := field.Required(nil, "because it is defined in "+at.String())
		c.add(rule, spineAt.String(), err)
		return
	}
	c.complete(v, spine, spineAt, at)
}

// complete checks one nested node against the spine node that it restricts.
func (c *checker) complete(v, spine *Schema, spineAt, at *schemapath.Path) {
	c.restrictionsComplete(v, spine, spineAt, at)
	if v.items != nil {
		below, spineBelow := at.Child("items"), spineAt.Child("items")
		c.specified("STR-091", v.items, spine.items, &spineBelow, &below)
	}
	for name, node := range v.Properties() {
		below := at.Keyed("properties", name)
		specified, spineBelow := spine.Property(name), spineAt.Keyed("properties", name)
		if specified == nil && spine.AdditionalSchema() != nil &&
			c.allowed&AllowPropertiesOfMaps != 0 {
			specified, spineBelow = spine.AdditionalSchema(), spineAt.Child("additionalProperties")
		}
		c.specified("STR-090", node, specified, &spineBelow, &below)
	}
	if v.restrictsAdditional() && c.allowed&AllowNestedAdditionalProperties != 0 {
		below, spineBelow := at.Child("additionalProperties"), spineAt.Child("additionalProperties")
		additional := v.additional.Schema
		if additional == nil {
			additional = &emptySchema
		}
		c.specified("STR-095", additional, spine.AdditionalSchema(), &spineBelow, &below)
	}
}
