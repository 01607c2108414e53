package lint

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/crdsem/crdsem/internal/kit/relang"
	"github.com/crdsem/crdsem/structural"
	"github.com/crdsem/crdsem/validation"
)

// pattern looks for patterns that nothing matches, with the lengths or without.
func (w *walk) pattern(n *node) {
	text, _ := n.doc["pattern"].(string)
	if n.doc["type"] != "string" || text == "" {
		return
	}
	if _, err := regexp.Compile(text); err != nil {
		return // the server says so
	}
	language := relang.Language{Patterns: []string{text}}
	isEmpty := func() bool {
		found := relang.Shortest(w.ctx, language)
		return found.Decided && !found.Found
	}
	low, high := number(n.doc["minLength"], 0), number(n.doc["maxLength"], math.MaxInt32)
	if low > high {
		return
	}
	shortest := relang.Shortest(w.ctx, language)
	least, most := int64(low), int64(high)
	language.MaxLength = &most
	switch {
	case shortest.Decided && !shortest.Found:
		w.add("LINT-pattern", n.at+".pattern",
			"`^` stands where a string begins, and `$` where it ends",
			"no string matches the pattern `%s`", text)
		return
	case isEmpty():
		w.add("LINT-length", n.at+".maxLength", "raise maxLength, or shorten the pattern",
			"maxLength is %d, and no string that is shorter than %d matches the pattern `%s`",
			most, len([]rune(shortest.Word)), text)
		return
	}
	language.MinLength = &least
	if isEmpty() {
		w.add("LINT-length", n.at+".minLength", "lower minLength, or lengthen the pattern",
			"minLength is %d, and no string of that length or longer matches the pattern `%s`",
			least, text)
	}
}

// pairs are the bounds that exclude each other, and what they bound.
var pairs = []struct{ check, low, high, of string }{
	{"LINT-length", "minLength", "maxLength", "string"},
	{"LINT-range", "minimum", "maximum", "number"},
	{"LINT-range", "minItems", "maxItems", "list"},
	{"LINT-range", "minProperties", "maxProperties", "object"},
}

// range_ looks for bounds that no value is within.
func (w *walk) range_(n *node) {
	for _, p := range pairs {
		if why := outside(n.doc, n.doc, p.low, p.high); why != "" {
			w.add(p.check, n.at+"."+p.low, "lower "+p.low+", or raise "+p.high,
				"%s: no %s fits", why, p.of)
		}
	}
	required := texts(n.doc["required"])
	if most := number(n.doc["maxProperties"], math.Inf(1)); float64(len(required)) > most {
		w.add("LINT-range", n.at+".maxProperties", "raise maxProperties",
			"%d fields are required, and maxProperties is %v: no object fits", len(required), most)
	}
}

// outside says why no value is within the bounds of two nodes that restrict it
// both. It is empty if one can be.
func outside(a, b map[string]any, lowest, highest string) string {
	for _, order := range [][2]map[string]any{{a, b}, {b, a}} {
		low := number(order[0][lowest], math.Inf(-1))
		high := number(order[1][highest], math.Inf(1))
		isExclusive := lowest == "minimum" &&
			(order[0]["exclusiveMinimum"] == true || order[1]["exclusiveMaximum"] == true)
		switch {
		case low > high:
			return fmt.Sprintf("%s %v is above %s %v", lowest, low, highest, high)
		case low == high && isExclusive:
			return fmt.Sprintf("%s and %s are %v, which is excluded", lowest, highest, low)
		}
	}
	return ""
}

// number returns a number of a decoded document.
func number(value any, otherwise float64) float64 {
	switch n := value.(type) {
	case int64:
		return float64(n)
	case float64:
		return n
	}
	return otherwise
}

// enum looks for values of an enum that the other keywords of the node refuse.
func (w *walk) enum(n *node) {
	values, _ := n.doc["enum"].([]any)
	if len(values) == 0 {
		return
	}
	refuses := refusal(w, n.doc)
	for i, value := range values {
		at := fmt.Sprintf("%s.enum[%d]", n.at, i)
		truth, isBool := value.(bool)
		if isBool && n.doc["type"] == "string" {
			w.add("LINT-enum", at, "write it in quotes: `y`, `yes` and `on` are true in YAML 1.1, "+
				"`n`, `no` and `off` are false",
				"no object can have the value %t: the type is string", truth)
		} else if reason := refuses(value); reason != "" {
			w.add("LINT-enum", at, "remove the value, or the keyword",
				"no object can have the value %s: %s", shown(value), reason)
		}
	}
}

func shown(value any) string {
	if value == nil {
		return "null"
	}
	if text, ok := value.(string); ok {
		return fmt.Sprintf("%q", text)
	}
	return fmt.Sprint(value)
}

// refusal returns a function that says why the keywords of a node, except its
// enum, refuse a value. It returns an empty string for a value that they take.
func refusal(w *walk, doc map[string]any) func(any) string {
	doc = maps.Clone(doc)
	for _, keyword := range []string{"enum", "default", "x-kubernetes-validations"} {
		delete(doc, keyword)
	}
	schema, err := structural.FromMap(doc)
	if err != nil {
		return func(any) string { return "" }
	}
	validator := validation.Compile(schema)
	return func(value any) string {
		for _, err := range validator.Values(w.ctx, nil, value) {
			return strings.TrimPrefix(err.Detail, " in body ")
		}
		return ""
	}
}

// required looks for required fields that are not declared: they are pruned.
func (w *walk) required(n *node) {
	w.undeclared("LINT-required", n, n.doc, n.at)
	for i, branch := range branchesOf(n.doc, "allOf") {
		w.undeclared("LINT-required", n, branch, fmt.Sprintf("%s.allOf[%d]", n.at, i))
	}
}

// undeclared reports required fields of a branch that its node does not
// declare, and whether there is one.
func (w *walk) undeclared(check string, n *node, branch map[string]any, at string) bool {
	if n.isOpen() || branch["type"] != nil && branch["type"] != "object" ||
		n.doc["type"] != "object" {
		return false
	}
	found := false
	for i, name := range texts(branch["required"]) {
		if n.property(name) == nil {
			found = true
			w.add(check, fmt.Sprintf("%s.required[%d]", at, i),
				"declare the field in `properties`, or do not require it",
				"%s is required, but not declared: the server prunes it, so that no object has it",
				name)
		}
	}
	return found
}

// branches looks for branches of junctors that no value keeps.
func (w *walk) branches(n *node) {
	for _, keyword := range []string{"allOf", "anyOf", "oneOf"} {
		for i, branch := range branchesOf(n.doc, keyword) {
			at := fmt.Sprintf("%s.%s[%d]", n.at, keyword, i)
			if keyword != "allOf" && w.undeclared("LINT-branch", n, branch, at) {
				continue
			}
			if not, _ := branch["not"].(map[string]any); not != nil {
				w.forbidden(n, not, at)
			}
			w.contradiction(n, branch, at)
		}
	}
}

// forbidden looks for fields that a branch forbids, and the node requires.
func (w *walk) forbidden(n *node, not map[string]any, at string) {
	names := texts(not["required"])
	if len(names) == 1 && len(not) == 1 && n.has(names[0]) {
		w.add("LINT-branch", at+".not", "remove the branch, or do not require the field",
			"every object has %s: the branch never holds", names[0])
	}
}

// contradiction looks for keywords of a branch that exclude those of its node.
func (w *walk) contradiction(n *node, branch map[string]any, at string) {
	if why := excludedBounds(n.doc, branch); why != "" {
		w.add("LINT-branch", at, "fix the bounds, or remove the branch",
			"%s: the branch never holds", why)
	}
	if hasOtherEnum(n.doc, branch) {
		w.add("LINT-branch", at+".enum", "name values that the node's enum has",
			"the enum of the field has none of these values: the branch never holds")
	}
	properties, _ := branch["properties"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		inner, _ := properties[name].(map[string]any)
		if property := n.property(name); property != nil && inner != nil {
			w.contradiction(property, inner, at+".properties["+name+"]")
		}
	}
}

// excludedBounds says why the bounds of a node and of a branch exclude each
// other. It is empty if they do not, or if those of the node do already.
func excludedBounds(doc, branch map[string]any) string {
	for _, p := range pairs {
		if outside(doc, doc, p.low, p.high) == "" {
			if why := outside(doc, branch, p.low, p.high); why != "" {
				return why
			}
		}
	}
	return ""
}

// hasOtherEnum reports whether a branch has an enum without a value of the
// node's.
func hasOtherEnum(doc, branch map[string]any) bool {
	values, _ := branch["enum"].([]any)
	own, _ := doc["enum"].([]any)
	return len(values) > 0 && len(own) > 0 && !slices.ContainsFunc(values, func(v any) bool {
		return slices.ContainsFunc(own, func(o any) bool { return same(o, v) })
	})
}

func same(a, b any) bool {
	if x, y := number(a, math.NaN()), number(b, math.NaN()); x == y {
		return true
	}
	text, ok := a.(string)
	return ok && text == b || a == true && b == true || a == false && b == false
}
