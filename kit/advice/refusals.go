package advice

import "strings"

// refusals are hints on texts of parsers, and on refusals before validation.
var refusals = []struct{ part, hint string }{
	{"found a tab character", "YAML indents with spaces only; replace the tabs"},
	{"found character that cannot start any token",
		"YAML indents with spaces only, and a value that starts with `@`, a backquote, `%` or a " +
			"tab must be in quotes"},
	{"mapping values are not allowed",
		"a value that contains a colon and a space must be in quotes; or the line has the wrong " +
			"indentation"},
	{"did not find expected", "look at the indentation of this line and of the lines before it"},
	{"unknown anchor", "a value that starts with `*` must be in quotes"},
	{"duplicate field", "the key occurs twice in one object; the last one counts"},
	{"already set in map", "the key occurs twice in one object; remove one"},
	{"no kind ", "a CustomResourceDefinition of apiextensions.k8s.io/v1 is wanted here; `crdsem " +
		"admit` reads objects"},
	{"does not match the expected API version",
		"write the apiVersion that the request is sent to, or send the object to its own version"},
	{"name must be provided", "add `metadata.name`"},
	{"does not match the name on the URL", "the name of an object cannot be changed; create a " +
		"new object"},
	{"does not match the namespace", "an object cannot move to another namespace; create a new " +
		"one"},
	{"the object has been modified",
		"somebody changed the object since it was read; read it again, repeat the change, and " +
			"send its new resourceVersion"},
	{"Object 'Kind' is missing", "add `apiVersion` and `kind`"},
	{"ObjectMeta.labels", "labels are strings: put numbers and booleans in quotes"},
	{"ObjectMeta.annotations", "annotations are strings: put numbers and booleans in quotes"},
	{"cannot unmarshal", "a value is of another type than its field: the error names the field " +
		"and the type that it takes"},
	{"json parse error", "the text is not JSON; look for a missing or surplus comma, quote or " +
		"brace"},
}

// refusal returns the hint on a text of a parser or on a refusal. It is empty
// for a text that no hint is about.
func refusal(text string) string {
	for _, r := range refusals {
		if strings.Contains(text, r.part) {
			return r.hint
		}
	}
	return ""
}
