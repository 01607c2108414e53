package advice

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/crdsem/crdsem/internal/kit/celsyntax"
)

// idiom is a piece of another language, and what CEL has for it.
type idiom struct {
	piece *regexp.Regexp
	hint  string
}

// idioms are found in expressions with a syntax error, outside of strings.
var idioms = []idiom{
	{regexp.MustCompile(`===|!==`), "CEL compares with `==` and `!=`"},
	{regexp.MustCompile(`=>|->`), "a macro has a variable, a comma and an expression, e.g. " +
		"`self.a.all(e, e > 0)`"},
	{regexp.MustCompile(`^\s*if\b`), "CEL has no `if`: write `condition ? this : that`, or " +
		"`!condition || that`"},
	{regexp.MustCompile(`\band\b`), "CEL writes `&&` for `and`"},
	{regexp.MustCompile(`\bor\b`), "CEL writes `||` for `or`"},
	{regexp.MustCompile(`\bnot\b`), "CEL writes `!` for `not`, e.g. `!has(self.a)`"},
}

// quoted matches strings of an expression.
var quoted = regexp.MustCompile(`'[^']*'|"[^"]*"`)

// foreign says what CEL has for a piece of another language. It is empty if the
// rule has none.
func foreign(rule string) string {
	rule = quoted.ReplaceAllString(rule, "''")
	for _, i := range idioms {
		if i.piece.MatchString(rule) {
			return i.hint
		}
	}
	return ""
}

// foreignNames are names of other languages, and what CEL has for them.
var foreignNames = map[string]string{
	"len": countHint, "length": countHint, "count": countHint,
	"nil": absentHint, "undefined": absentHint, "None": absentHint, "NULL": absentHint,
	"defined": absentHint, "exists": absentHint, "empty": absentHint,
	"True": "CEL writes `true`", "False": "CEL writes `false`",
}

const (
	countHint  = "`size()` counts characters, items and keys, e.g. `size(self.a) > 0`"
	absentHint = "`has()` says whether a field is there, e.g. `has(self.a)`"
	hasHint    = "`has()` takes a field, e.g. `has(self.a)`: a key of a map is found by " +
		"`'a' in self.m`, and an item by `size(self.l) > 0`"
	conditionHint = "`!`, `&&`, `||` and `?` take conditions: compare the value with something, " +
		"e.g. `self.a == 'x'` or `has(self.a)`"
)

// standardFunctions are functions of CEL itself that rules call by their names.
var standardFunctions = []string{
	"startsWith", "endsWith", "contains", "matches", "size", "duration", "timestamp", "string",
	"double", "exists", "exists_one", "all", "filter", "map", "has", "getHours", "getSeconds",
}

// noSelection says what to write for a field of a value that has none.
func noSelection(rule string) string {
	for _, name := range []string{".length", ".len", ".size", ".count"} {
		if strings.Contains(rule, name) {
			return countHint
		}
	}
	return "only objects have fields: an item of a list is `self.l[0]`, and `self.l.all(e, " +
		"e.a > 0)` is about each"
}

// comparedBy are the types whose values are compared by functions, and the
// functions that make them of strings.
var comparedBy = map[string]string{
	"kubernetes.Quantity": "quantity('1Gi')", "kubernetes.Semver": "semver('1.2.3')",
}

// madeOf are the types that strings are converted to before they are compared.
var madeOf = map[string]string{
	"duration": "duration('1m')", "google.protobuf.Duration": "duration('1m')",
	"timestamp":                 "timestamp('2026-01-01T00:00:00Z')",
	"google.protobuf.Timestamp": "timestamp('2026-01-01T00:00:00Z')",
}

// operandTypes splits the operands of an overload, e.g. (duration, string) or
// kubernetes.Quantity.(string).
func operandTypes(operands string) []string {
	target, arguments, _ := strings.Cut(strings.TrimSuffix(operands, ")"), "(")
	var types []string
	if target = strings.TrimSuffix(target, "."); target != "" {
		types = append(types, target)
	}
	return append(types, strings.Split(arguments, ", ")...)
}

// mismatched says what to do about operands of some types. It is empty if there
// is nothing to say but the types.
func mismatched(function, operands string) string {
	types := operandTypes(operands)
	has := func(name string) bool { return slices.Contains(types, name) }
	switch {
	case function == "!_":
		return conditionHint
	case has("null") || has("null_type"):
		return "a value of this type is never null, but its field may be absent: " + absentHint
	}
	for _, name := range []string{"kubernetes.Quantity", "kubernetes.Semver"} {
		switch {
		case !has(name):
		case has("string"):
			return fmt.Sprintf("a string is converted first, e.g. %s", code(comparedBy[name]))
		case operator.MatchString(function):
			return "such values are compared by functions, e.g. `a.isGreaterThan(b)` or " +
				"`a.compareTo(b) == 0`"
		}
	}
	for _, name := range types {
		if maker := madeOf[name]; maker != "" && has("string") {
			return fmt.Sprintf("a string is converted first, e.g. %s", code(maker))
		}
	}
	return ""
}

// indexed matches an index of a variable by a string, e.g. i['a-b'].
var indexed = regexp.MustCompile(`\b(\w+)\[['"]([^'"\]]+)['"]\]`)

// indexOfObject says how to write an index of an object with named fields that
// a variable holds.
func (f *finding) indexOfObject() string {
	rule, _ := f.lastValue().(string)
	declared := f.propertiesBelow(f.node())
	for _, m := range indexed.FindAllStringSubmatch(rule, -1) {
		if slices.Contains(declared, m[2]) && reachable.MatchString(m[2]) {
			return "an object with named fields has no index: write " +
				code(m[1]+"."+celsyntax.Name(m[2]))
		}
	}
	return ""
}
