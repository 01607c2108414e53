package structural

import "k8s.io/apimachinery/pkg/util/validation/field"

// restrictionsComplete checks that whatever the junctors of a node mention is specified on the spine (STR-090 to STR-095).
// It is asked for the root only; deeper spine nodes may mention what they like (STR-093). The error stands where the
// specification is missing and names where it is mentioned.
func (c *checker) restrictionsComplete(v, spine *Schema, spineAt, at *place) {
	for i, branch := range v.values.AllOf {
		below := at.branch("allOf", i)
		c.complete(branch, spine, spineAt, &below)
	}
	for i, branch := range v.values.AnyOf {
		below := at.branch("anyOf", i)
		c.complete(branch, spine, spineAt, &below)
	}
	for i, branch := range v.values.OneOf {
		below := at.branch("oneOf", i)
		c.complete(branch, spine, spineAt, &below)
	}
	if v.values.Not != nil {
		below := at.child("not")
		c.complete(v.values.Not, spine, spineAt, &below)
	}
}

// complete checks one nested node against the spine node it restricts, nil if there is none.
func (c *checker) complete(v, spine *Schema, spineAt, at *place) {
	if spine == nil {
		c.errs = append(c.errs, field.Required(spineAt.path(), "because it is defined in "+at.path().String()))
		return
	}
	c.restrictionsComplete(v, spine, spineAt, at)
	if v.items != nil {
		below, spineBelow := at.child("items"), spineAt.child("items")
		c.complete(v.items, spine.items, &spineBelow, &below)
	}
	for _, name := range v.names {
		below := at.property(name)
		specified, spineBelow := spine.properties[name], spineAt.property(name)
		if specified == nil && spine.AdditionalSchema() != nil && c.allowed&AllowPropertiesOfMaps != 0 {
			specified, spineBelow = spine.AdditionalSchema(), spineAt.child("additionalProperties")
		}
		c.complete(v.properties[name], specified, &spineBelow, &below)
	}
	if v.restrictsAdditional() && c.allowed&AllowNestedAdditionalProperties != 0 {
		below, spineBelow := at.child("additionalProperties"), spineAt.child("additionalProperties")
		additional := v.additional.Schema
		if additional == nil {
			additional = &emptySchema
		}
		c.complete(additional, spine.AdditionalSchema(), &spineBelow, &below)
	}
}
