package structural

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Explain returns the id of the rule that an error of Validate is about, e.g.
// STR-043, and the rule in plain words. ok is false for all other errors. The
// rule is found by the type, field and detail of the error.
func Explain(err *field.Error) (rule, text string, ok bool) {
	if err == nil {
		return "", "", false
	}
	for i := range ruleTexts {
		if r := &ruleTexts[i]; r.matches(err) {
			return r.rule, r.text, true
		}
	}
	return "", "", false
}

// ruleText explains one rule. Its errors have this type, or any type if it is
// empty, a field that ends with this suffix and a detail that starts with this
// prefix.
type ruleText struct {
	rule          string
	kind          field.ErrorType
	field, detail string
	text          string
}

func (r *ruleText) matches(err *field.Error) bool {
	return (r.kind == "" || err.Type == r.kind) &&
		strings.HasSuffix(err.Field, r.field) && strings.HasPrefix(err.Detail, r.detail)
}

const nestedOnlyRestricts = "inside allOf, anyOf, oneOf and not a schema only restricts values; " +
	"what a field is must be said outside of them"

// ruleTexts is searched from the top: the first match wins. It is never
// changed.
var ruleTexts = []ruleText{
	{"STR-043", field.ErrorTypeRequired, ".items", "must be specified", "a list must say what its items are"},
	{"STR-044", field.ErrorTypeForbidden, ".additionalProperties", "must not be used at the root", "a resource's top-level fields must be named; a map of arbitrary keys can only stand below them"},
	{"STR-045", field.ErrorTypeRequired, ".type", "must not be empty at the root", "the root must have a type, and it is object"},
	{"STR-046", field.ErrorTypeRequired, ".type", "must not be empty for specified array items", "the items of a list must have a type, unless they are int-or-string or preserve unknown fields"},
	{"STR-047", field.ErrorTypeRequired, ".type", "must not be empty for specified object fields", "every field must have a type, unless it is int-or-string or preserves unknown fields"},
	{"STR-048", field.ErrorTypeInvalid, ".type", "must be object at the root", "a resource is an object"},
	{"STR-050", "", ".type", "must be object if x-kubernetes-embedded-resource is true", "an embedded resource is an object"},
	{"STR-051", field.ErrorTypeForbidden, ".additionalProperties", "must not be used if x-kubernetes-embedded-resource is set", "an embedded resource names its fields; it is no map of arbitrary keys"},
	{"STR-052", field.ErrorTypeRequired, ".properties", "must not be empty if x-kubernetes-embedded-resource is true", "an embedded resource must specify fields or preserve unknown ones, or pruning would leave nothing of it"},
	{"STR-053", field.ErrorTypeInvalid, ".properties[kind].type", "must be string", "the kind of a resource is a string"},
	{"STR-054", field.ErrorTypeInvalid, ".properties[apiVersion].type", "must be string", "the apiVersion of a resource is a string"},
	{"STR-055", field.ErrorTypeInvalid, ".properties[metadata].type", "must be object", "the metadata of a resource is an object"},
	{"STR-056", field.ErrorTypeForbidden, ".properties[metadata]", "must not specify anything other than name and generateName", "metadata is the same for all resources; a schema can only restrict its name and generateName"},
	{"STR-059", field.ErrorTypeInvalid, ".x-kubernetes-preserve-unknown-fields", "must be false if x-kubernetes-int-or-string", "an integer or string has no fields to preserve"},
	{"STR-060", field.ErrorTypeInvalid, ".x-kubernetes-embedded-resource", "must be false if x-kubernetes-int-or-string", "an integer or string is no resource"},
	{"STR-061", field.ErrorTypeInvalid, ".pattern", "must be a valid regular expression", "a pattern is an RE2 regular expression: no look-around and no back-references"},
	{"STR-083", field.ErrorTypeForbidden, ".properties[metadata]", "must not be specified in a nested context", "metadata can only be restricted outside of allOf, anyOf, oneOf and not"},
	{"STR-071", field.ErrorTypeForbidden, ".additionalProperties", "must be undefined to be structural", nestedOnlyRestricts},
	{"STR-070", field.ErrorTypeForbidden, ".type", "must be empty to be structural", nestedOnlyRestricts},
	{"STR-072", field.ErrorTypeForbidden, ".default", "must be undefined to be structural", "inside allOf, anyOf, oneOf and not a default could not be applied"},
	{"STR-073", field.ErrorTypeForbidden, ".title", "must be empty to be structural", nestedOnlyRestricts},
	{"STR-074", field.ErrorTypeForbidden, ".description", "must be empty to be structural", nestedOnlyRestricts},
	{"STR-075", field.ErrorTypeForbidden, ".nullable", "must be false to be structural", nestedOnlyRestricts},
	{"STR-076", field.ErrorTypeForbidden, ".x-kubernetes-preserve-unknown-fields", "must be false to be structural", nestedOnlyRestricts},
	{"STR-077", field.ErrorTypeForbidden, ".x-kubernetes-embedded-resource", "must be false to be structural", nestedOnlyRestricts},
	{"STR-078", field.ErrorTypeForbidden, ".x-kubernetes-int-or-string", "must be false to be structural", nestedOnlyRestricts},
	{"STR-079", field.ErrorTypeForbidden, ".x-kubernetes-list-map-keys", "must be empty to be structural", nestedOnlyRestricts},
	{"STR-080", field.ErrorTypeForbidden, ".x-kubernetes-list-type", "must be undefined to be structural", nestedOnlyRestricts},
	{"STR-081", field.ErrorTypeForbidden, ".x-kubernetes-map-type", "must be undefined to be structural", nestedOnlyRestricts},
	{"STR-082", field.ErrorTypeForbidden, ".x-kubernetes-validations", "must be empty to be structural", "rules stand outside of allOf, anyOf, oneOf and not"},
	{"STR-091", field.ErrorTypeRequired, ".items", "because it is defined in", "items that allOf, anyOf, oneOf or not restrict must also be specified outside of them"},
	{"STR-095", field.ErrorTypeRequired, ".additionalProperties", "because it is defined in", "a map that allOf, anyOf, oneOf or not restrict must also be specified outside of them"},
	{"STR-090", field.ErrorTypeRequired, "]", "because it is defined in", "a field that allOf, anyOf, oneOf or not restrict must also be specified outside of them"},
}
