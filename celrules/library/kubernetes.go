package library

// comparable returns the element types for isSorted, max and min, and summable
// those for sum. Both are in the order of declaration (LIB-010).
func comparable() []string {
	return []string{"int", "uint", "double", "bool", "duration", "timestamp", "string", "bytes"}
}

func summable() []string { return []string{"int", "uint", "double", "duration"} }

// perElement declares one overload per element type, e.g. list_int_sum_int.
func perElement(types []string, declare func(element string) Overload) []Overload {
	out := make([]Overload, len(types))
	for i, t := range types {
		out[i] = declare(t)
	}
	return out
}

// listFunctions returns the functions of LIB-010 to LIB-014.
func listFunctions() []Function {
	return []Function{
		{
			Name: "isSorted", Cost: CostTraverse,
			Summary: "whether no element is greater than its successor",
			Overloads: perElement(comparable(), func(t string) Overload {
				return method("list_"+t+"_is_sorted_bool", "list("+t+")", "bool")
			}),
		},
		{
			Name: "sum", Cost: CostTraverse,
			Summary: "the sum of the elements, zero for an empty list; fails on overflow",
			Overloads: perElement(summable(), func(t string) Overload {
				return method("list_"+t+"_sum_"+t, "list("+t+")", t)
			}),
		},
		{
			Name: "max", Cost: CostTraverse,
			Summary: "the first greatest element; fails on an empty list",
			Overloads: perElement(comparable(), func(t string) Overload {
				return method("list_"+t+"_max_"+t, "list("+t+")", t)
			}),
		},
		{
			Name: "min", Cost: CostTraverse,
			Summary: "the first least element; fails on an empty list",
			Overloads: perElement(comparable(), func(t string) Overload {
				return method("list_"+t+"_min_"+t, "list("+t+")", t)
			}),
		},
		{
			Name: "indexOf", Cost: CostTraverse,
			Summary:   "the index of the first equal element, or -1",
			Overloads: []Overload{method("list_a_index_of_int", "list(A)", "int", "A")},
		},
		{
			Name: "lastIndexOf", Cost: CostTraverse,
			Summary:   "the index of the last equal element, or -1",
			Overloads: []Overload{method("list_a_last_index_of_int", "list(A)", "int", "A")},
		},
	}
}

// listFunctionsV1 returns the functions of LIB-010 to LIB-015.
func listFunctionsV1() []Function {
	return append(listFunctions(), Function{
		Name: "includes", Cost: CostTraverse,
		Summary:   "whether a list has an equal element, or anything else equals the argument",
		Overloads: []Overload{method("list_includes_dyn_dyn", "dyn", "bool", "dyn")},
	})
}

// regexFunctions returns the functions of LIB-020.
func regexFunctions() []Function {
	return []Function{
		{
			Name: "find", Cost: CostRegex,
			Summary: "the first match, or an empty string; " +
				"fails on an illegal regular expression",
			Overloads: []Overload{method("string_find_string", "string", "string", "string")},
		},
		{
			Name: "findAll", Cost: CostRegex,
			Summary: "all matches; the second argument is their maximum number " +
				"unless it is negative",
			Overloads: []Overload{
				method("string_find_all_string", "string", "list(string)", "string"),
				method("string_find_all_string_int", "string", "list(string)", "string", "int"),
			},
		},
	}
}

// urlFunctions returns the functions of LIB-030 and LIB-031.
func urlFunctions() []Function {
	part := func(name, id, result, summary string) Function {
		return Function{
			Name: name, Cost: CostNominal, Summary: summary,
			Overloads: []Overload{method(id, "kubernetes.URL", result)},
		}
	}
	return []Function{
		{
			Name: "url", Cost: CostTransform,
			Summary: "the URL that a string represents; " +
				"fails unless it is an absolute URI or path",
			Overloads: []Overload{global("string_to_url", "kubernetes.URL", "string")},
		},
		part("getScheme", "url_get_scheme", "string", "the scheme, empty if absent"),
		part("getHost", "url_get_host", "string", "the host with its port, brackets kept"),
		part("getHostname", "url_get_hostname", "string", "the host without port and brackets"),
		part("getPort", "url_get_port", "string", "the port, empty if absent"),
		part("getEscapedPath", "url_get_escaped_path", "string", "the path, escaped"),
		part("getQuery", "url_get_query", "map(string, list(string))",
			"the query's values by key, malformed pairs left out"),
		{
			Name: "isURL", Summary: "whether url accepts the string",
			Overloads: []Overload{global("is_url_string", "bool", "string")},
		},
	}
}

// quantityFunctions returns the functions of LIB-040 to LIB-043.
func quantityFunctions() []Function {
	const q = "kubernetes.Quantity"
	return []Function{
		{
			Name: "quantity", Cost: CostScan,
			Summary:   "the quantity that a string represents; fails if it is not a quantity",
			Overloads: []Overload{global("string_to_quantity", q, "string")},
		},
		{
			Name: "isQuantity", Cost: CostScan, Summary: "whether quantity accepts the string",
			Overloads: []Overload{global("is_quantity_string", "bool", "string")},
		},
		{
			Name: "sign", Cost: CostNominal, Summary: "1, 0 or -1; global, not a method",
			Overloads: []Overload{global("quantity_sign", "int", q)},
		},
		{
			Name: "isGreaterThan", Cost: CostNominal, Summary: "whether the receiver is greater",
			Overloads: []Overload{method("quantity_is_greater_than", q, "bool", q)},
		},
		{
			Name: "isLessThan", Cost: CostNominal, Summary: "whether the receiver is less",
			Overloads: []Overload{method("quantity_is_less_than", q, "bool", q)},
		},
		{
			Name: "compareTo", Cost: CostNominal,
			Summary:   "1, 0 or -1 as the receiver is greater, equal or less",
			Overloads: []Overload{method("quantity_compare_to", q, "int", q)},
		},
		{
			Name: "asApproximateFloat", Cost: CostNominal, Summary: "the nearest double",
			Overloads: []Overload{method("quantity_get_float", q, "double")},
		},
		{
			Name: "asInteger", Cost: CostNominal,
			Summary:   "the exact int; fails if the quantity is not an int",
			Overloads: []Overload{method("quantity_get_int", q, "int")},
		},
		{
			Name: "isInteger", Cost: CostNominal, Summary: "whether asInteger would succeed",
			Overloads: []Overload{method("quantity_is_integer", q, "bool")},
		},
		{
			Name: "add", Cost: CostNominal, Summary: "the sum, a new quantity",
			Overloads: []Overload{
				method("quantity_add", q, q, q),
				method("quantity_add_int", q, q, "int"),
			},
		},
		{
			Name: "sub", Cost: CostNominal, Summary: "the difference, a new quantity",
			Overloads: []Overload{
				method("quantity_sub", q, q, q),
				method("quantity_sub_int", q, q, "int"),
			},
		},
	}
}

// semverFunctions returns the functions of LIB-070 to LIB-073.
func semverFunctions() []Function {
	const v = "kubernetes.Semver"
	return []Function{
		{
			Name: "semver", Cost: CostScan,
			Summary: "the version that a string represents, normalized if the second argument " +
				"is true; fails if it is not a version",
			Overloads: []Overload{
				global("string_to_semver", v, "string"),
				global("string_bool_to_semver", v, "string", "bool"),
			},
		},
		{
			Name: "isSemver", Cost: CostScan, Summary: "whether semver accepts the arguments",
			Overloads: []Overload{
				global("is_semver_string", "bool", "string"),
				global("is_semver_string_bool", "bool", "string", "bool"),
			},
		},
		{
			Name: "isGreaterThan", Cost: CostNominal,
			Summary:   "whether the receiver has precedence, build metadata ignored",
			Overloads: []Overload{method("semver_is_greater_than", v, "bool", v)},
		},
		{
			Name: "isLessThan", Cost: CostNominal,
			Summary:   "whether the argument has precedence, build metadata ignored",
			Overloads: []Overload{method("semver_is_less_than", v, "bool", v)},
		},
		{
			Name: "compareTo", Cost: CostNominal,
			Summary:   "1, 0 or -1 by precedence, build metadata ignored",
			Overloads: []Overload{method("semver_compare_to", v, "int", v)},
		},
		{
			Name: "major", Cost: CostNominal,
			Summary:   "the major number; beyond the int range it wraps",
			Overloads: []Overload{method("semver_major", v, "int")},
		},
		{
			Name: "minor", Cost: CostNominal,
			Summary:   "the minor number; beyond the int range it wraps",
			Overloads: []Overload{method("semver_minor", v, "int")},
		},
		{
			Name: "patch", Cost: CostNominal,
			Summary:   "the patch number; beyond the int range it wraps",
			Overloads: []Overload{method("semver_patch", v, "int")},
		},
	}
}
