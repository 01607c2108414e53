package library

// stringFunctionsV0 returns the functions of the first edition of the string
// library.
func stringFunctionsV0() []Function {
	return append(stringSearchFunctions(), stringTransformFunctions()...)
}

func stringSearchFunctions() []Function {
	return []Function{
		{
			Name:      "charAt",
			Summary:   "the character at an index, empty at the end of the string; fails beyond it",
			Overloads: []Overload{method("string_char_at_int", "string", "string", "int")},
		},
		{
			Name: "indexOf", Cost: CostTraverse,
			Summary: "the index of the first occurrence at or after an offset, or -1; " +
				"fails on a negative offset",
			Overloads: []Overload{
				method("string_index_of_string", "string", "int", "string"),
				method("string_index_of_string_int", "string", "int", "string", "int"),
			},
		},
		{
			Name: "lastIndexOf", Cost: CostTraverse,
			Summary: "the index of the last occurrence at or before an offset, or -1; " +
				"fails on a negative offset",
			Overloads: []Overload{
				method("string_last_index_of_string", "string", "int", "string"),
				method("string_last_index_of_string_int", "string", "int", "string", "int"),
			},
		},
	}
}

func stringTransformFunctions() []Function {
	return []Function{
		{
			Name: "lowerAscii", Cost: CostTransform,
			Summary:   "the string with ASCII letters in lower case",
			Overloads: []Overload{method("string_lower_ascii", "string", "string")},
		},
		{
			Name: "replace", Cost: CostReplace,
			Summary: "the string with occurrences replaced; " +
				"the last argument is their maximum number unless it is negative",
			Overloads: []Overload{
				method("string_replace_string_string", "string", "string", "string", "string"),
				method("string_replace_string_string_int",
					"string", "string", "string", "string", "int"),
			},
		},
		{
			Name: "split", Cost: CostSplit,
			Summary: "the parts between separators; " +
				"the last argument is their maximum number unless it is negative",
			Overloads: []Overload{
				method("string_split_string", "string", "list(string)", "string"),
				method("string_split_string_int", "string", "list(string)", "string", "int"),
			},
		},
		{
			Name: "substring", Cost: CostTransform,
			Summary: "the characters from one index up to another or the end; " +
				"fails outside the string",
			Overloads: []Overload{
				method("string_substring_int", "string", "string", "int"),
				method("string_substring_int_int", "string", "string", "int", "int"),
			},
		},
		{
			Name: "trim", Cost: CostTransform,
			Summary:   "the string without white space at both ends",
			Overloads: []Overload{method("string_trim", "string", "string")},
		},
		{
			Name: "upperAscii", Cost: CostTransform,
			Summary:   "the string with ASCII letters in upper case",
			Overloads: []Overload{method("string_upper_ascii", "string", "string")},
		},
		{
			Name: "join", Cost: CostJoin,
			Summary: "the elements as one string, with a separator between them",
			Overloads: []Overload{
				method("list_join", "list(string)", "string"),
				method("list_join_string", "list(string)", "string", "string"),
			},
		},
	}
}

// stringFunctions returns the functions of LIB-002.
func stringFunctions() []Function {
	return append(stringFunctionsV0(),
		Function{
			Name: "format",
			Summary: "the string with %s, %d, %f, %e, %b, %x, %X and %o replaced " +
				"by the arguments; literal calls are checked at compile time",
			Overloads: []Overload{
				method("string_format", "string", "string", "list(dyn)").costing(CostFormatString),
			},
		},
		Function{
			Name: "strings.quote", Summary: "the string in quotes, special characters escaped",
			Overloads: []Overload{global("strings_quote", "string", "string").costing(CostQuote)},
		},
	)
}

// setFunctions returns the functions of LIB-004.
func setFunctions() []Function {
	declare := func(name, id, summary string, c Cost) Function {
		return Function{
			Name: name, Summary: summary,
			Overloads: []Overload{global(id, "bool", "list(T)", "list(T)").costing(c)},
		}
	}
	return []Function{
		declare("sets.contains", "list_sets_contains_list",
			"whether every element of the second list is in the first", CostSetCompare),
		declare("sets.equivalent", "list_sets_equivalent_list",
			"whether each list contains the other", CostSetCompareTwice),
		declare("sets.intersects", "list_sets_intersects_list",
			"whether the lists have an element in common", CostSetCompare),
	}
}

// comprehensionFunctions returns the function that the macros of LIB-005 expand
// to.
func comprehensionFunctions() []Function {
	return []Function{{
		Name: "cel.@mapInsert",
		Summary: "the map with an additional entry; fails if it has the key. " +
			"transformMap and transformMapEntry expand to it",
		Overloads: []Overload{
			global("@mapInsert_map_key_value", "map(K, V)", "map(K, V)", "K", "V"),
			global("@mapInsert_map_map", "map(K, V)", "map(K, V)", "map(K, V)"),
		},
	}}
}

// elementType is a type of list elements, and its name in overload ids.
type elementType struct{ name, written string }

func (t elementType) list() string { return "list(" + t.written + ")" }

// sortable returns the element types that sort accepts.
func sortable() []elementType {
	return []elementType{
		{"int", "int"}, {"uint", "uint"}, {"double", "double"}, {"bool", "bool"},
		{"google.protobuf.Duration", "duration"}, {"google.protobuf.Timestamp", "timestamp"},
		{"string", "string"}, {"bytes", "bytes"},
	}
}

func sortFunction() Function {
	f := Function{
		Name:    "sort",
		Summary: "the elements in ascending order; fails on elements of different types",
	}
	for _, t := range sortable() {
		o := method("list_"+t.name+"_sort", t.list(), t.list())
		f.Overloads = append(f.Overloads, o.costing(CostListSort))
	}
	return f
}

// sortByFunction returns the function that the macro sortBy expands to.
func sortByFunction() Function {
	f := Function{
		Name:    "@sortByAssociatedKeys",
		Summary: "the elements in the order of their keys; sortBy expands to it",
	}
	for _, t := range sortable() {
		o := method("list_"+t.name+"_sortByAssociatedKeys", "list(T)", "list(T)", t.list())
		f.Overloads = append(f.Overloads, o.costing(CostListSortBy))
	}
	return f
}

// extListFunctions returns the functions of LIB-003.
func extListFunctions() []Function {
	return []Function{
		{
			Name:    "slice",
			Summary: "the elements from one index up to another; fails outside the list",
			Overloads: []Overload{
				method("list_slice", "list(T)", "list(T)", "int", "int").costing(CostListSlice),
			},
		},
		{
			Name: "flatten",
			Summary: "the elements of nested lists, down to a depth that is 1 by default; " +
				"fails on a negative depth",
			Overloads: []Overload{
				method("list_flatten", "list(list(T))", "list(T)").costing(CostListFlatten),
				method("list_flatten_int", "list(dyn)", "list(dyn)", "int").
					costing(CostListFlatten),
			},
		},
		sortFunction(),
		sortByFunction(),
		{
			Name: "lists.range",
			Summary: "the numbers from 0 up to the argument; " +
				"fails if it is negative or more than 1000000",
			Overloads: []Overload{global("lists_range", "list(int)", "int").costing(CostListRange)},
		},
		{
			Name: "reverse", Summary: "the elements from the last to the first",
			Overloads: []Overload{
				method("list_reverse", "list(T)", "list(T)").costing(CostListReverse),
			},
		},
		{
			Name: "distinct", Summary: "the elements without repetitions",
			Overloads: []Overload{
				method("list_distinct", "list(T)", "list(T)").costing(CostListDistinct),
			},
		},
	}
}
