package structural

import (
	"reflect"

	"github.com/crdsem/crdsem/internal/belowstructural/profile"
)

// ExpandIntOrString returns a schema in which each spine node with
// x-kubernetes-int-or-string also has the anyOf of an integer and a string
// (STR-110), which clients of OpenAPI understand. A node that has this anyOf is
// left as it is. The argument is not changed. Expanding twice is the same as
// expanding once. The server calls this unfolding.
func ExpandIntOrString(s *Schema) *Schema {
	integerOrString := []*Schema{
		{keywords: keywords{typ: "integer"}},
		{keywords: keywords{typ: "string"}},
	}
	c := &checker{profile: profile.Latest()}
	return rewrite(s, func(k *keywords) {
		var v ValueValidation
		if k.values != nil {
			v = *k.values
		}
		switch {
		case !k.intOrString,
			c.isIntOrString(v.AnyOf),
			len(v.AllOf) > 0 && c.isIntOrString(v.AllOf[0].Values().AnyOf):
			return
		case v.AnyOf == nil:
			v.AnyOf = integerOrString
		default:
			pattern := &Schema{keywords: keywords{values: &ValueValidation{AnyOf: integerOrString}}}
			v.AllOf = append([]*Schema{pattern}, v.AllOf...)
		}
		k.values = &v
	})
}

// isIntOrString reports whether the branches of an anyOf are exactly an integer
// and a string, in that order (STR-062, STR-063). Only these nested nodes may
// have a type.
func (c *checker) isIntOrString(anyOf []*Schema) bool {
	return len(anyOf) == 2 &&
		c.isPlainType(anyOf[0], "integer") && c.isPlainType(anyOf[1], "string")
}

// isPlainType reports whether a nested node has this type and no other keyword.
func (c *checker) isPlainType(s *Schema, typ string) bool {
	if s.typ != typ {
		return false
	}
	k := c.seen(s)
	if !s.restrictsAdditional() && c.profile.NestedOptions {
		k.additional = nil // additionalProperties: false is ignored in nested nodes (STR-028)
	}
	return reflect.DeepEqual(&k, &keywords{typ: typ})
}
