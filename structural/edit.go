package structural

// Unfold returns a schema in which every spine node that is int-or-string says so by an anyOf of integer and string
// (STR-110); a node that does already is left as it is. The argument is not changed. Unfolding twice is unfolding once.
func Unfold(s *Schema) *Schema {
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

// StripDefaults returns a schema without the defaults of spine nodes. The argument is not changed.
func StripDefaults(s *Schema) *Schema {
	return rewrite(s, func(k *keywords) { k.def = nil })
}

// StripValueValidations returns a schema whose spine nodes restrict no values: types, extensions and rules stay (STR-111).
// The argument is not changed.
func StripValueValidations(s *Schema) *Schema {
	return rewrite(s, func(k *keywords) { k.values = nil })
}

// StripNullable returns a schema none of whose spine nodes is nullable (STR-112). The argument is not changed.
func StripNullable(s *Schema) *Schema {
	return rewrite(s, func(k *keywords) { k.nullable = false })
}

// AsEmbeddedResource returns a schema that differs from s only in that its root is an embedded resource; nil counts as an empty schema. The
// argument is not changed.
func AsEmbeddedResource(s *Schema) *Schema {
	if s.EmbeddedResource() {
		return s
	}
	k := s.orEmpty().keywords
	k.embedded = true
	return &Schema{keywords: k, below: summarize(&k), defaulted: defaultedNames(&k)}
}
