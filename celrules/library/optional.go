package library

// optionalFunctions returns the functions and operators of LIB-006.
func optionalFunctions() []Function {
	const some = "optional_type(V)"
	return append(optionalOperators(),
		Function{
			Name: "optional.of", Summary: "an optional that holds the argument",
			Overloads: []Overload{global("optional_of", some, "V")},
		},
		Function{
			Name: "optional.ofNonZeroValue",
			Summary: "an optional that holds the argument, " +
				"or nothing for the zero value of its type",
			Overloads: []Overload{global("optional_ofNonZeroValue", some, "V")},
		},
		Function{
			Name:      "optional.none",
			Summary:   "the optional that holds nothing",
			Overloads: []Overload{global("optional_none", some)},
		},
		Function{
			Name:      "value",
			Summary:   "the value of the optional; fails if it holds nothing",
			Overloads: []Overload{method("optional_value", some, "V")},
		},
		Function{
			Name:      "hasValue",
			Summary:   "whether the optional holds something",
			Overloads: []Overload{method("optional_hasValue", some, "bool")},
		},
		Function{
			Name:      "or",
			Summary:   "the optional, or the argument if it holds nothing",
			Overloads: []Overload{method("optional_or_optional", some, some, some)},
		},
		Function{
			Name:      "orValue",
			Summary:   "the value of the optional, or the argument if it holds nothing",
			Overloads: []Overload{method("optional_orValue_value", some, "V", "V")},
		},
		Function{
			Name: "optional.unwrap", Summary: "the values of the optionals that hold something",
			Overloads: []Overload{global("optional_unwrap", "list(V)", "list("+some+")").since(33)},
		},
		Function{
			Name: "unwrapOpt", Summary: "the values of the optionals that hold something",
			Overloads: []Overload{
				method("optional_unwrapOpt", "list("+some+")", "list(V)").since(33),
			},
		},
		Function{
			Name:      "first",
			Summary:   "an optional that holds the first element, or nothing",
			Overloads: []Overload{method("list_first", "list(V)", some).since(33)},
		},
		Function{
			Name:      "last",
			Summary:   "an optional that holds the last element, or nothing",
			Overloads: []Overload{method("list_last", "list(V)", some).since(33)},
		},
	)
}

// optionalOperators returns the operators of the optional syntax, e.g. of
// `self.?spec`.
func optionalOperators() []Function {
	const some = "optional_type(V)"
	return []Function{
		{
			Name: "_?._", Summary: "x.?field: an optional that holds the field, or nothing",
			Overloads: []Overload{global("select_optional_field", some, "dyn", "string")},
		},
		{
			Name: "_[?_]", Summary: "x[?i]: an optional that holds the element, or nothing",
			Overloads: []Overload{
				global("list_optindex_optional_int", some, "list(V)", "int"),
				global("optional_list_optindex_optional_int",
					some, "optional_type(list(V))", "int"),
				global("map_optindex_optional_value", some, "map(K, V)", "K"),
				global("optional_map_optindex_optional_value",
					some, "optional_type(map(K, V))", "K"),
			},
		},
		{
			Name: "_[_]",
			Summary: "x[i] of an optional list or map: an optional that holds the element, " +
				"or nothing",
			Overloads: []Overload{
				global("optional_list_index_int", some, "optional_type(list(V))", "int"),
				global("optional_map_index_value", some, "optional_type(map(K, V))", "K"),
			},
		},
	}
}
