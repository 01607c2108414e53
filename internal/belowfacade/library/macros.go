package library

// Macros returns the macros that rules can use, in the form
// name:arguments:receiver. For example, "all:2:true" is `list.all(x, p)`. They
// come with the standard library, the optional library (optMap, optFlatMap),
// the two-variable library and the list library (sortBy). The result is sorted,
// and the caller may change it. Rule LIB-101.
func Macros() []string {
	return []string{
		"all:2:true", "all:3:true",
		"exists:2:true", "exists:3:true",
		"existsOne:3:true",
		"exists_one:2:true", "exists_one:3:true",
		"filter:2:true",
		"has:1:false",
		"map:2:true", "map:3:true",
		"optFlatMap:2:true", "optMap:2:true",
		"sortBy:2:true",
		"transformList:3:true", "transformList:4:true",
		"transformMap:3:true", "transformMap:4:true",
		"transformMapEntry:3:true", "transformMapEntry:4:true",
	}
}
