package structural

import "k8s.io/apimachinery/pkg/util/validation/field"

// Explain returns the id of the rule that an error of Validate is about, e.g.
// STR-043, and the rule in plain words. ok is false for all other errors. The
// id is the origin of the error.
func Explain(err *field.Error) (rule, text string, ok bool) {
	if err == nil {
		return "", "", false
	}
	if text, ok = ruleTexts[err.Origin]; !ok {
		return "", "", false
	}
	return err.Origin, text, true
}

const (
	nestedOnlyRestricts = "inside allOf, anyOf, oneOf and not a schema only restricts values; " +
		"what a field is must be said outside of them"
	patternIsRE2 = "a pattern is an RE2 regular expression: no look-around and no back-references"
)

// ruleTexts has the words for each rule that an error of Validate can have as
// its origin. It is never changed.
var ruleTexts = map[string]string{
	"STR-043": "a list must say what its items are",
	"STR-044": "a resource's top-level fields must be named; a map of arbitrary keys can only stand below them",
	"STR-045": "the root must have a type, and it is object",
	"STR-046": "the items of a list must have a type, unless they are int-or-string or preserve unknown fields",
	"STR-047": "every field must have a type, unless it is int-or-string or preserves unknown fields",
	"STR-048": "a resource is an object",
	"STR-050": "an embedded resource is an object",
	"STR-051": "an embedded resource names its fields; it is no map of arbitrary keys",
	"STR-052": "an embedded resource must specify fields or preserve unknown ones, or pruning would leave nothing of it",
	"STR-053": "the kind of a resource is a string",
	"STR-054": "the apiVersion of a resource is a string",
	"STR-055": "the metadata of a resource is an object",
	"STR-056": "metadata is the same for all resources; a schema can only restrict its name and generateName",
	"STR-059": "an integer or string has no fields to preserve",
	"STR-060": "an integer or string is no resource",
	"STR-061": patternIsRE2,
	"STR-070": nestedOnlyRestricts,
	"STR-071": nestedOnlyRestricts,
	"STR-072": "inside allOf, anyOf, oneOf and not a default could not be applied",
	"STR-073": nestedOnlyRestricts,
	"STR-074": nestedOnlyRestricts,
	"STR-075": nestedOnlyRestricts,
	"STR-076": nestedOnlyRestricts,
	"STR-077": nestedOnlyRestricts,
	"STR-078": nestedOnlyRestricts,
	"STR-079": nestedOnlyRestricts,
	"STR-080": nestedOnlyRestricts,
	"STR-081": nestedOnlyRestricts,
	"STR-082": "rules stand outside of allOf, anyOf, oneOf and not",
	"STR-083": "metadata can only be restricted outside of allOf, anyOf, oneOf and not",
	"STR-084": patternIsRE2,
	"STR-090": "a field that allOf, anyOf, oneOf or not restrict must also be specified outside of them",
	"STR-091": "items that allOf, anyOf, oneOf or not restrict must also be specified outside of them",
	"STR-095": "a map that allOf, anyOf, oneOf or not restrict must also be specified outside of them",
}
