// Package oddrules draws rules that parse, and that no author would write:
// calls with too few and too many arguments, methods called as functions,
// macros whose variable is none, and names that hide others.
package oddrules

import (
	"math/rand/v2"
	"strings"
)

// Fields are those of self that rules are about: two scalars, a list, a map, an
// object, and names that CEL writes in another way or not at all.
var Fields = []string{"a", "s", "l", "m", "o", "p", "in", "a-b", "__x__", "has", "é", "", "`"}

// Schema is the schema of an object with the fields, in JSON, without its
// closing brace.
const Schema = `{"type": "object", "properties": {"a": {"type": "integer", "maximum": 3},
"s": {"type": "string", "maxLength": 9, "default": "x"},
"l": {"type": "array", "maxItems": 3, "items": {"type": "string", "maxLength": 3}},
"m": {"type": "object", "maxProperties": 3, "additionalProperties": {"type": "integer"}},
"o": {"type": "object", "properties": {"x": {"type": "integer"}, "size": {"type": "string"}}},
"p": {"x-kubernetes-int-or-string": true}, "in": {"type": "integer"}, "a-b": {"type": "string"},
"__x__": {"type": "boolean"}, "has": {"type": "boolean"}, "é": {"type": "integer"},
"": {"type": "string"}, "` + "`" + `": {"type": "string"}}`

var (
	functions = []string{
		"size", "has", "type", "quantity", "duration", "timestamp", "isLessThan", "isGreaterThan",
		"compareTo", "matches", "startsWith", "contains", "isQuantity", "isURL", "isIP", "int",
		"string", "dyn", "all", "exists", "exists_one", "existsOne", "map", "filter", "optMap",
		"orValue", "or", "value", "hasValue", "getHours", "indexOf", "split", "join", "find", "min",
		"sum", "format", "sortBy", "transformList", "cel.bind", "optional.of", "semver", "ip", "in_",
		"isSorted", "asInteger", "unknown", "_", "self", "oldSelf",
	}
	atoms = []string{
		"self", "oldSelf", "self.a", "self.s", "self.l", "self.m", "self.o.x", "self.o.size", "self.p",
		"self.__in__", "self.a__dash__b", "self.__underscores__x__underscores__", "self.has",
		"self.`a-b`", "self.?a", "self.l[0]", "self.m['k']", "self.l[?0]", "x", "string", "int", "null",
		"true", "false", "0", "1", "-1", "9223372036854775807", "1u", "1.5", "'x'", "''", "b'x'", "[]",
		"{}", "[self.a]", "[?self.?a]", "{'a': 1}", "{?'a': self.?a}", "Foo{}", "Foo{a: 1}", "r'\\'",
	}
	binary = []string{
		"&&", "||", "==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "%", "in",
	}
)

// Draw returns a random rule, of a depth at most.
func Draw(r *rand.Rand, depth int) string {
	of := func(list []string) string { return list[r.IntN(len(list))] }
	inner := func() string { return Draw(r, depth-1-r.IntN(2)) }
	if depth <= 0 {
		return of(atoms)
	}
	arguments := func() string {
		args := make([]string, r.IntN(4))
		for i := range args {
			args[i] = inner()
		}
		return "(" + strings.Join(args, ", ") + ")"
	}
	switch r.IntN(12) {
	case 0, 1:
		return of(functions) + arguments()
	case 2, 3:
		return "(" + inner() + ")." + strings.ReplaceAll(of(functions), ".", "_") + arguments()
	case 4:
		return "!(" + inner() + ")"
	case 5:
		return "(" + inner() + ") ? (" + inner() + ") : (" + inner() + ")"
	case 6:
		return "[" + inner() + ", " + inner() + "]." + of([]string{"exists_one", "filter", "all"}) +
			"(" + of([]string{"x", "self", "string"}) + ", " + inner() + ")"
	case 7:
		return "(" + inner() + ")[" + inner() + "]"
	case 8:
		return "(" + inner() + ")." + of([]string{"a", "size", "?a", "`a-b`", "__in__"})
	}
	return "(" + inner() + ") " + of(binary) + " (" + inner() + ")"
}
