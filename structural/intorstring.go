package structural

import "reflect"

// ExpandIntOrString returns a schema in which every spine node that is int-or-string says so by an anyOf of integer and string
// (STR-110); a node that does already is left as it is. The argument is not changed. ExpandIntOrStringing twice is unfolding once.
func ExpandIntOrString(s *Schema) *Schema {
	integerOrString := []*Schema{{keywords: keywords{typ: "integer"}}, {keywords: keywords{typ: "string"}}}
	return rewrite(s, func(k *keywords) {
		var v ValueValidation
		if k.values != nil {
			v = *k.values
		}
		switch {
		case !k.intOrString, isIntOrString(v.AnyOf), len(v.AllOf) > 0 && isIntOrString(v.AllOf[0].Values().AnyOf):
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

// isIntOrString tells whether the branches of an anyOf are exactly an integer and a string, in that order (STR-062, STR-063):
// the one place where nested nodes have a type.
func isIntOrString(anyOf []*Schema) bool {
	return len(anyOf) == 2 && isPlainType(anyOf[0], "integer") && isPlainType(anyOf[1], "string")
}

// isPlainType tells whether a nested node has this type and nothing else.
func isPlainType(s *Schema, typ string) bool {
	if s.typ != typ {
		return false
	}
	k := s.keywords
	if !s.restrictsAdditional() {
		k.additional = nil // additionalProperties: false is ignored in nested nodes (STR-028)
	}
	return reflect.DeepEqual(&k, &keywords{typ: typ})
}
