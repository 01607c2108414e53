package validation

import (
	"math"
	"slices"
	"strings"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/belowstructural/profile"
)

// kinds is a set of the kinds of values that a type check distinguishes.
type kinds uint8

const (
	kindNull kinds = 1 << iota
	kindBool
	kindInt
	kindIntegral // a float64 that counts as an integer (VAL-021)
	kindFloat    // any other float64
	kindString
	kindList
	kindObject

	allKinds = math.MaxUint8
)

// typeRule is the type check of a node. It is comparable.
type typeRule struct {
	types    string // joined by a comma, as errors name them; empty: any
	format   string // as written, empty if it is dropped
	nullable bool
	// truncates: a float near an integer counts as one only if it is not below
	// it.
	truncates bool
}

func (t *typeRule) has(word string) bool {
	switch t.types {
	case word:
		return word != ""
	case intOrString:
		return word == "integer" || word == "string"
	}
	return false
}

// intOrString is the type list of x-kubernetes-int-or-string.
const intOrString = "integer,string"

// applies reports whether the type check runs on values that are not null
// (VAL-003).
func (t *typeRule) applies() bool { return t.types != "" || t.format != "" }

// check reports whether a value passes (VAL-020 to VAL-025). If not, it returns
// the expected and the actual type as errors show them.
func (t *typeRule) check(value any) (ok bool, expected, actual string) {
	if value == nil {
		return t.types == "" || t.nullable || t.has("null"), t.types, "null"
	}
	if !t.applies() {
		return true, "", ""
	}
	word := jsonvalue.KindOf(value)
	matches := t.has(word)
	number, isFloat := value.(float64)
	if isFloat && t.has("integer") && t.isInteger(number) ||
		word == "integer" && t.has("number") {
		matches = true
	}
	textual := word == "string" || word == "array"
	formatWord := formatWordOf(value)
	if !textual && t.format != "" && !matches && formatWord != t.format {
		return false, t.format, formatWord
	}
	if textual && t.format != "" && !t.has("number") && !t.has("integer") {
		return true, "", ""
	}
	return matches, t.types, word
}

// isInteger reports whether a float counts as an integer (VAL-021).
func (t *typeRule) isInteger(f float64) bool {
	if t.truncates {
		return isTruncatedInteger(f)
	}
	return isJSONInteger(f)
}

// rule returns the rule that a value breaks which does not pass the check.
// expected is the second result of check.
func (t *typeRule) rule(value any, expected string) string {
	_, isFloat := value.(float64)
	switch {
	case value == nil:
		return "VAL-023"
	case t.format != "" && expected == t.format:
		return "VAL-022"
	case t.types == intOrString:
		return "VAL-025"
	case isFloat && t.has("integer"):
		return "VAL-021"
	default:
		return "VAL-020"
	}
}

// types is a type rule with the kinds that pass it. A value of a Go type that
// JSON does not have belongs to no kind.
type types struct {
	typeRule
	accepted kinds
}

func newTypes(rule typeRule) *types {
	t := &types{typeRule: rule}
	samples := [...]any{nil, true, int64(1), 1.0, 1.5, "", []any(nil), map[string]any(nil)}
	for i, sample := range samples {
		if ok, _, _ := rule.check(sample); ok {
			t.accepted |= 1 << i
		}
	}
	return t
}

// formatWordOf returns the format of a number's Go type, which some type errors
// show (VAL-022).
func formatWordOf(value any) string {
	switch value.(type) {
	case int64:
		return "int64"
	case float64:
		return "float64"
	default:
		return ""
	}
}

// isJSONInteger reports whether a float counts as an integer: it is safe in
// JSON and differs from an integer by less than a billionth (VAL-021).
func isJSONInteger(f float64) bool {
	const limit = 1<<53 - 1
	if !(math.Abs(f) <= limit) {
		return false
	}
	rounded := math.Round(f)
	return f == rounded || rounded != 0 && math.Abs(f-rounded) < 1e-9*math.Abs(rounded)
}

// isTruncatedInteger is isJSONInteger before Kubernetes 1.37: a float is
// compared with the integer that it is cut off to.
func isTruncatedInteger(f float64) bool {
	const limit = 1<<53 - 1
	if !(math.Abs(f) <= limit) {
		return false
	}
	integer := math.Trunc(f)
	return f == integer || integer > 0 && (f-integer)/(f+integer) < 1e-9
}

// supportedFormats are the formats of strings that a schema may use, without
// their dashes (FMT-000). Formats of other names are ignored.
var supportedFormats = strings.Fields(
	`bsonobjectid uri email hostname ipv4 ipv6 cidr mac uuid uuid3 uuid4 uuid5 isbn isbn10 isbn13
	creditcard ssn hexcolor rgbcolor byte password date duration datetime k8sshortname k8slongname`,
)

// normalFormat returns the name by which a format is looked up, e.g. datetime
// for date-time.
func normalFormat(format string) string { return strings.ReplaceAll(format, "-", "") }

// formatRule returns the rule of a supported format, given as a schema writes
// it. A spelling that the rules do not name has the rule of the usual one, e.g.
// d-a-t-e that of date.
func formatRule(format string) string {
	switch format {
	case "date-time", "k8s-short-name", "k8s-long-name":
		return "FMT-" + format
	case "k8slongname":
		return "FMT-k8s-long-name"
	}
	return "FMT-" + normalFormat(format)
}

// isNameFormat reports whether a format is k8s-short-name or k8s-long-name.
func isNameFormat(format string) bool {
	name := normalFormat(format)
	return name == "k8sshortname" || name == "k8slongname"
}

// keptFormat returns a node's format, or the empty string if the format is
// ignored (FMT-000).
func keptFormat(types, format string, p *profile.Profile) string {
	var kept bool
	switch {
	case !p.NumericFormats, types == "", types == "string", types == intOrString:
		kept = slices.Contains(supportedFormats, normalFormat(format)) &&
			(p.NameFormats || !isNameFormat(format))
	case types == "integer":
		kept = format == "int32" || format == "int64"
	case types == "number":
		kept = format == "float" || format == "double"
	}
	if !kept {
		return ""
	}
	return format
}
