package structural

// StripDefaults returns a schema without the defaults of spine nodes. The
// argument is not changed.
func StripDefaults(s *Schema) *Schema {
	return rewrite(s, func(k *keywords) { k.def = nil })
}

// StripValueValidations returns a schema whose spine nodes do not restrict
// values. Types, extensions and rules stay (STR-111). The argument is not
// changed.
func StripValueValidations(s *Schema) *Schema {
	return rewrite(s, func(k *keywords) { k.values = nil })
}

// StripNullable returns a schema without nullable spine nodes (STR-112). The
// argument is not changed.
func StripNullable(s *Schema) *Schema {
	return rewrite(s, func(k *keywords) { k.nullable = false })
}
