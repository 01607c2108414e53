package edit

import (
	"regexp"
	"slices"
	"strings"

	"github.com/crdsem/crdsem/internal/base/celsyntax"
)

// keyword is a keyword of a schema in a definition, with the ids of the rules
// that say what it does.
type keyword struct{ name, detail, text string }

// schemaKeywords are those of a schema node.
var schemaKeywords = []keyword{
	{"type", "string", "The type of the value: object, array, string, integer, number or boolean."},
	{"description", "string", "What the field is for."},
	{"properties", "map of schemas", "The fields of an object."},
	{"required", "list of names", "The fields that must be there (VAL-081)."},
	{"additionalProperties", "schema", "The values of all fields that are not declared."},
	{"items", "schema", "The items of a list."},
	{"default", "value", "What is filled in where the field is absent (DEF-002)."},
	{"nullable", "boolean", "null is kept; without it, null is removed or defaulted (DEF-030)."},
	{"enum", "list of values", "The values that are allowed (VAL-060)."},
	{"format", "string", "A format of strings or numbers (FMT-000)."},
	{"pattern", "regular expression", "What strings must match, in the syntax of RE2 (VAL-041)."},
	{"minLength", "integer", "The least length of strings, in characters."},
	{"maxLength", "integer", "The greatest length of strings; it also bounds the cost of rules."},
	{"minimum", "number", "The least number (VAL-050)."},
	{"maximum", "number", "The greatest number (VAL-050)."},
	{"exclusiveMinimum", "boolean", "minimum itself is not allowed."},
	{"exclusiveMaximum", "boolean", "maximum itself is not allowed."},
	{"multipleOf", "number", "Numbers must be a multiple of it."},
	{"minItems", "integer", "The least number of items."},
	{"maxItems", "integer", "The greatest number of items; it also bounds the cost of rules."},
	{"minProperties", "integer", "The least number of fields."},
	{"maxProperties", "integer", "The greatest number of fields; it also bounds the cost of rules."},
	{"allOf", "list of schemas", "All of them must hold; only values can be constrained here."},
	{"anyOf", "list of schemas", "One of them must hold (VAL-092)."},
	{"oneOf", "list of schemas", "Exactly one of them must hold."},
	{"not", "schema", "It must not hold."},
	{"title", "string", "A title for people."},
	{"example", "value", "An example for people."},
	{"externalDocs", "object", "A link for people."},
	{"x-kubernetes-validations", "list of rules", "Rules in CEL (CEL-060)."},
	{"x-kubernetes-list-type", "string", "atomic, set or map (LST-001)."},
	{"x-kubernetes-list-map-keys", "list of names", "The keys of the items of a list of type map."},
	{"x-kubernetes-map-type", "string", "granular or atomic."},
	{"x-kubernetes-int-or-string", "boolean", "The value is an integer or a string."},
	{"x-kubernetes-embedded-resource", "boolean", "The value is an object with apiVersion, kind " +
		"and metadata."},
	{"x-kubernetes-preserve-unknown-fields", "boolean", "Fields that are not declared are kept " +
		"(PRN-012)."},
}

// ruleKeywords are those of an entry of x-kubernetes-validations.
var ruleKeywords = []keyword{
	{"rule", "CEL", "An expression that must be true of self."},
	{"message", "string", "What is said if it is false."},
	{"messageExpression", "CEL", "An expression for the message."},
	{"reason", "string", "The type of the error."},
	{"fieldPath", "string", "The field that the error names, e.g. .spec."},
	{"optionalOldSelf", "boolean", "oldSelf is an optional; the rule runs on a create, too."},
}

// keywordValues are the values of keywords that have a fixed list.
var keywordValues = map[string][]string{
	"type":                   {"object", "array", "string", "integer", "number", "boolean"},
	"x-kubernetes-list-type": {"atomic", "set", "map"},
	"x-kubernetes-map-type":  {"granular", "atomic"},
	"reason": {
		"FieldValueInvalid", "FieldValueForbidden", "FieldValueRequired", "FieldValueDuplicate",
	},
	"scope": {"Namespaced", "Cluster"},
}

// place is what stands at a position of a definition's schema.
type schemaPlace uint8

const (
	elsewhere schemaPlace = iota
	atSchema
	atSchemas // names of fields
	atList    // of schemas
	atRules
	atRule
)

// inSchema returns what stands below some steps of a definition.
func inSchema(steps []wayStep) schemaPlace {
	at := elsewhere
	for _, step := range steps {
		switch {
		case at == elsewhere && step.key == "openAPIV3Schema", at == atSchemas, at == atList:
			at = atSchema
		case at == atRules && step.item:
			at = atRule
		case at == elsewhere:
		case at != atSchema:
			return elsewhere
		case step.key == "properties":
			at = atSchemas
		case slices.Contains([]string{"items", "additionalProperties", "not"}, step.key):
			at = atSchema
		case slices.Contains([]string{"allOf", "anyOf", "oneOf"}, step.key):
			at = atList
		case step.key == "x-kubernetes-validations":
			at = atRules
		default:
			return elsewhere
		}
	}
	return at
}

// keywords offers what a definition has at the position.
func (c *completer) keywords() {
	if c.inValue {
		for _, value := range keywordValues[c.steps[len(c.steps)-1].key] {
			c.add(value, value, Completion{})
		}
		return
	}
	var offered []keyword
	switch inSchema(c.steps) {
	case atSchema:
		offered = schemaKeywords
	case atRule:
		offered = ruleKeywords
	}
	for _, k := range offered {
		if !c.taken[k.name] {
			c.add(k.name, k.name+": ", Completion{Detail: k.detail, Text: k.text,
				Required: k.name == "rule" || k.name == "type"})
		}
	}
}

// selection is an expression that selects a field of self, up to its end.
var selection = regexp.MustCompile(`\b(?:self|oldSelf)((?:\.\w+)*)\.(\w*)$`)

// fieldsOf offers the fields of self behind "self." in a rule. The schema is
// that of the document, as far as its lines tell.
func (c *completer) fieldsOf(before string, at Position) {
	m := selection.FindStringSubmatch(before)
	if m == nil {
		return
	}
	node, ok := c.ruleNode()
	for _, name := range strings.Split(m[1], ".")[1:] {
		if ok {
			node, ok = c.child(node, "properties", name)
		}
	}
	if !ok {
		return
	}
	properties, _ := c.child(node, "properties")
	c.over = Range{Position{at.Line, at.Column - len(m[2])}, at}
	for _, k := range c.keys {
		if k.parent == properties {
			typ, _ := c.keyIn(k.id, "type")
			c.add(k.key, celsyntax.Name(k.key), Completion{Detail: typ.value})
		}
	}
}

// ruleNode returns the schema node of the rule that the position is in.
func (c *completer) ruleNode() (id int, ok bool) {
	n := len(c.steps)
	if n < 3 || !slices.Contains([]string{"rule", "messageExpression"}, c.steps[n-1].key) ||
		inSchema(c.steps[:n-1]) != atRule {
		return 0, false
	}
	for _, k := range c.keys {
		if k.id == c.steps[n-3].id {
			return k.parent, true
		}
	}
	return 0, false
}

// child returns what is below some keys of an object.
func (c *completer) child(id int, names ...string) (int, bool) {
	for _, name := range names {
		k, ok := c.keyIn(id, name)
		if !ok {
			return 0, false
		}
		id = k.id
	}
	return id, true
}

func (c *completer) keyIn(id int, name string) (wayKey, bool) {
	for _, k := range c.keys {
		if k.parent == id && k.key == name {
			return k, true
		}
	}
	return wayKey{}, false
}
