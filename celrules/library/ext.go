package library

// stringFunctionsV0 are the functions of the string library's first edition.
func stringFunctionsV0() []Function {
	return []Function{
		{
			Name: "charAt", Summary: "the character at a place, empty just after the end; fails beyond",
			Overloads: []Overload{method("string_char_at_int", "string", "string", "int")},
		},
		{
			Name: "indexOf", Cost: CostTraverse, Summary: "the place of the first occurrence from an offset on, -1 if there is none; fails on a negative offset",
			Overloads: []Overload{
				method("string_index_of_string", "string", "int", "string"),
				method("string_index_of_string_int", "string", "int", "string", "int"),
			},
		},
		{
			Name: "lastIndexOf", Cost: CostTraverse, Summary: "the place of the last occurrence up to an offset, -1 if there is none; fails on a negative offset",
			Overloads: []Overload{
				method("string_last_index_of_string", "string", "int", "string"),
				method("string_last_index_of_string_int", "string", "int", "string", "int"),
			},
		},
		{
			Name: "lowerAscii", Cost: CostTransform, Summary: "ASCII letters in lower case",
			Overloads: []Overload{method("string_lower_ascii", "string", "string")},
		},
		{
			Name: "replace", Cost: CostReplace, Summary: "occurrences replaced, all or as many as the last argument says unless that is negative",
			Overloads: []Overload{
				method("string_replace_string_string", "string", "string", "string", "string"),
				method("string_replace_string_string_int", "string", "string", "string", "string", "int"),
			},
		},
		{
			Name: "split", Cost: CostSplit, Summary: "the parts between separators, all or as many as the last argument says unless that is negative",
			Overloads: []Overload{
				method("string_split_string", "string", "list(string)", "string"),
				method("string_split_string_int", "string", "list(string)", "string", "int"),
			},
		},
		{
			Name: "substring", Cost: CostTransform, Summary: "the characters from a place on, or up to another; fails outside the string",
			Overloads: []Overload{
				method("string_substring_int", "string", "string", "int"),
				method("string_substring_int_int", "string", "string", "int", "int"),
			},
		},
		{
			Name: "trim", Cost: CostTransform, Summary: "without white space at both ends",
			Overloads: []Overload{method("string_trim", "string", "string")},
		},
		{
			Name: "upperAscii", Cost: CostTransform, Summary: "ASCII letters in upper case",
			Overloads: []Overload{method("string_upper_ascii", "string", "string")},
		},
		{
			Name: "join", Cost: CostJoin, Summary: "the elements, with a separator between them",
			Overloads: []Overload{
				method("list_join", "list(string)", "string"),
				method("list_join_string", "list(string)", "string", "string"),
			},
		},
	}
}

// stringFunctions are the functions of LIB-002.
func stringFunctions() []Function {
	return append(stringFunctionsV0(),
		Function{
			Name: "format", Summary: "the string with %s, %d, %f, %e, %b, %x, %X and %o replaced by the arguments; literal calls are checked when compiling",
			Overloads: []Overload{method("string_format", "string", "string", "list(dyn)").costing(CostFormatString)},
		},
		Function{
			Name: "strings.quote", Summary: "the string in quotes, special characters escaped",
			Overloads: []Overload{global("strings_quote", "string", "string").costing(CostQuote)},
		},
	)
}

// setFunctions are the functions of LIB-004.
func setFunctions() []Function {
	declare := func(name, id, summary string, c Cost) Function {
		return Function{Name: name, Summary: summary, Overloads: []Overload{global(id, "bool", "list(T)", "list(T)").costing(c)}}
	}
	return []Function{
		declare("sets.contains", "list_sets_contains_list", "whether every element of the second list is in the first", CostSetCompare),
		declare("sets.equivalent", "list_sets_equivalent_list", "whether each list contains the other", CostSetCompareTwice),
		declare("sets.intersects", "list_sets_intersects_list", "whether the lists have an element in common", CostSetCompare),
	}
}

// comprehensionFunctions is the helper of LIB-005's macros.
func comprehensionFunctions() []Function {
	return []Function{{
		Name: "cel.@mapInsert", Summary: "the map with an entry more, which transformMap and transformMapEntry expand to; fails on a key it has",
		Overloads: []Overload{
			global("@mapInsert_map_key_value", "map(K, V)", "map(K, V)", "K", "V"),
			global("@mapInsert_map_map", "map(K, V)", "map(K, V)", "map(K, V)"),
		},
	}}
}

// sortable are the element types of sort, with the names that its overload ids use.
func sortable() []struct{ name, written string } {
	return []struct{ name, written string }{
		{"int", "int"}, {"uint", "uint"}, {"double", "double"}, {"bool", "bool"},
		{"google.protobuf.Duration", "duration"}, {"google.protobuf.Timestamp", "timestamp"},
		{"string", "string"}, {"bytes", "bytes"},
	}
}

// extListFunctions are the functions of LIB-003; sortBy is a macro over @sortByAssociatedKeys.
func extListFunctions() []Function {
	sort := Function{Name: "sort", Summary: "the elements in ascending order; fails on elements of different types"}
	sortBy := Function{Name: "@sortByAssociatedKeys", Summary: "the elements in the order of their keys, which sortBy expands to"}
	for _, t := range sortable() {
		elements := "list(" + t.written + ")"
		sort.Overloads = append(sort.Overloads, method("list_"+t.name+"_sort", elements, elements).costing(CostListSort))
		sortBy.Overloads = append(sortBy.Overloads,
			method("list_"+t.name+"_sortByAssociatedKeys", "list(T)", "list(T)", elements).costing(CostListSortBy))
	}
	return []Function{
		{
			Name: "slice", Summary: "the elements from a place up to another; fails outside the list",
			Overloads: []Overload{method("list_slice", "list(T)", "list(T)", "int", "int").costing(CostListSlice)},
		},
		{
			Name: "flatten", Summary: "nested lists made one, one level deep or as deep as the argument says; fails on a negative depth",
			Overloads: []Overload{
				method("list_flatten", "list(list(T))", "list(T)").costing(CostListFlatten),
				method("list_flatten_int", "list(dyn)", "list(dyn)", "int").costing(CostListFlatten),
			},
		},
		sort,
		sortBy,
		{
			Name: "lists.range", Summary: "the numbers from 0 up to the argument; fails if negative or more than 1000000",
			Overloads: []Overload{global("lists_range", "list(int)", "int").costing(CostListRange)},
		},
		{
			Name: "reverse", Summary: "the elements from the last to the first",
			Overloads: []Overload{method("list_reverse", "list(T)", "list(T)").costing(CostListReverse)},
		},
		{
			Name: "distinct", Summary: "the elements without repetitions",
			Overloads: []Overload{method("list_distinct", "list(T)", "list(T)").costing(CostListDistinct)},
		},
	}
}
