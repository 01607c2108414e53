package lint

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// surprises looks for keywords of a node that do not do what they seem to do.
func (w *walk) surprises(n *node) {
	w.wrongType(n)
	w.emptyItems(n)
	if n.doc["nullable"] == true && excludesNull(n.doc) {
		w.add("LINT-nullable", n.at+".nullable", "remove `nullable`, or the enum",
			"the field is nullable and has an enum: the server refuses null, whether or not the "+
				"enum lists it")
	}
	properties, _ := n.doc["properties"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		child := n.property(name)
		if child == nil || n.isObject() && name == "metadata" {
			continue
		}
		if child.doc["default"] != nil && requires(n.doc, name) {
			w.add("LINT-requireddefault", child.at+".default",
				"remove the field from `required`, or remove the default",
				"the field is required and has a default: the server accepts objects without it, "+
					"but typed clients, documentation and schema validators take it as mandatory")
		}
		if !n.isRoot && !n.has(name) && (isSwitchedOn(child, 1) || isEnabled(child)) {
			w.add("LINT-parentdefault", child.at, "add `default: {}` to the object",
				"fields of the object have defaults, and the object is optional and has none: "+
					"an object without it has none of them")
		}
		w.emptied(n, child, name)
	}
}

// excludesNull reports whether a branch refuses null by an enum.
func excludesNull(doc map[string]any) bool {
	lacks := func(branch map[string]any) bool { return !excludesNull(branch) }
	all := func(list []map[string]any) bool {
		return len(list) > 0 && !slices.ContainsFunc(list, lacks)
	}
	enum, _ := doc["enum"].([]any)
	return len(enum) > 0 || slices.ContainsFunc(branchesOf(doc, "allOf"), excludesNull) ||
		all(branchesOf(doc, "anyOf")) || all(branchesOf(doc, "oneOf"))
}

// keywordsOfTypes are the keywords that mean something for one type only.
var keywordsOfTypes = map[string][]string{
	"string":  {"maxLength", "minLength", "pattern"},
	"number":  {"exclusiveMaximum", "exclusiveMinimum", "maximum", "minimum", "multipleOf"},
	"array":   {"maxItems", "minItems", "uniqueItems"},
	"object":  {"maxProperties", "minProperties", "required"},
	"boolean": {},
}

// wrongType looks for keywords that mean nothing for the type of the node.
func (w *walk) wrongType(n *node) {
	of, _ := n.doc["type"].(string)
	if n.doc["x-kubernetes-int-or-string"] == true {
		return
	}
	w.wrongKeywords(n.doc, of, n.at)
	w.wrongBranches(n, n.doc, of, n.at)
	w.wrongFormat(n, of)
	for _, pair := range [][2]string{
		{"exclusiveMaximum", "maximum"}, {"exclusiveMinimum", "minimum"},
	} {
		if (of == "integer" || of == "number") && n.doc[pair[0]] == true && n.doc[pair[1]] == nil {
			w.add("LINT-type", n.at+"."+pair[0], "add `"+pair[1]+"`, or remove the keyword",
				"`%s` means nothing without `%s`", pair[0], pair[1])
		}
	}
}

// wrongKeywords looks at the keywords of a node, or of one of its branches.
func (w *walk) wrongKeywords(doc map[string]any, of, at string) {
	kind := of
	if of == "integer" {
		kind = "number"
	}
	if _, isKnown := keywordsOfTypes[kind]; !isKnown {
		return
	}
	for _, other := range slices.Sorted(maps.Keys(keywordsOfTypes)) {
		for _, keyword := range keywordsOfTypes[other] {
			if value := doc[keyword]; other != kind && value != nil && value != false {
				w.add("LINT-type", at+"."+keyword, "remove the keyword, or fix the type",
					"`%s` means nothing for a field of type %v", keyword, of)
			}
		}
	}
}

// wrongBranches looks at the junctors of a node.
func (w *walk) wrongBranches(n *node, doc map[string]any, of, at string) {
	for _, keyword := range []string{"allOf", "anyOf", "oneOf"} {
		for i, branch := range branchesOf(doc, keyword) {
			place := fmt.Sprintf("%s.%s[%d]", at, keyword, i)
			w.wrongKeywords(branch, of, place)
			w.wrongBranches(n, branch, of, place)
		}
	}
	w.wrongProperties(n, doc, at)
	if not, _ := doc["not"].(map[string]any); not != nil {
		w.wrongKeywords(not, of, at+".not")
	}
}

// wrongProperties looks at what a branch says of the fields of a node.
func (w *walk) wrongProperties(n *node, branch map[string]any, at string) {
	properties, _ := branch["properties"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		inner, _ := properties[name].(map[string]any)
		property := n.property(name)
		if property == nil || inner == nil || at == n.at ||
			property.doc["x-kubernetes-int-or-string"] == true {
			continue
		}
		of, _ := property.doc["type"].(string)
		place := at + ".properties[" + name + "]"
		w.wrongKeywords(inner, of, place)
		w.wrongBranches(property, inner, of, place)
	}
}

// formatsOfNumbers are those that mean something for numbers, by their type.
var formatsOfNumbers = map[string]string{
	"int32": "integer", "int64": "integer", "float": "number", "double": "number",
}

// wrongFormat looks for a format of another type.
func (w *walk) wrongFormat(n *node, of string) {
	format, _ := n.doc["format"].(string)
	wanted, isOfNumber := formatsOfNumbers[format]
	isWrong := of == "string" && isOfNumber || of == "boolean" && format != "" ||
		(of == "integer" || of == "number") && !isOfNumber && isFormatOfStrings(format)
	if isWrong {
		if !isOfNumber {
			wanted = "string"
		}
		w.add("LINT-type", n.at+".format", "remove the format, or fix the type",
			"the format %s is one of type %s, and means nothing for a field of type %s", format,
			wanted, of)
	}
}

// isFormatOfStrings reports whether the server knows a format of strings.
func isFormatOfStrings(format string) bool {
	return slices.Contains([]string{
		"bsonobjectid", "byte", "cidr", "creditcard", "date", "date-time", "datetime", "duration",
		"email", "hexcolor", "hostname", "ipv4", "ipv6", "isbn", "isbn10", "isbn13",
		"k8s-long-name", "k8s-short-name", "mac", "password", "rgbcolor", "ssn", "uri", "uuid",
		"uuid3", "uuid4", "uuid5",
	}, format)
}

// isSwitchedOn reports whether all fields of an object have defaults, or are
// such objects themselves, so many deep: whoever leaves the object out may
// expect them.
func isSwitchedOn(n *node, deep int) bool {
	properties, _ := n.doc["properties"].(map[string]any)
	isOn := false
	for name := range properties {
		child := n.property(name)
		if child == nil {
			return false
		}
		if child.doc["default"] == nil {
			if deep == 0 || !isSwitchedOn(child, deep-1) && !isEnabled(child) {
				return false
			}
			isOn = true
			continue
		}
		isOn = isOn || child.doc["default"] == true || len(properties) > 1 ||
			child.doc["type"] == "object" && isSwitchedOn(child, 0)
	}
	return isOn && n.doc["type"] == "object"
}

// isEnabled reports whether an object has a field enabled that is true by
// default.
func isEnabled(n *node) bool {
	child := n.property("enabled")
	return n.doc["type"] == "object" && child != nil && child.doc["default"] == true
}

// keepers matches names of fields whose keys are the user's, or that hold what
// Kubernetes has types for. An empty object of another name may be a mark.
var keepers = regexp.MustCompile(`(?i)(annotations|labels|selector|config|configuration|` +
	`env|headers|limits|requests|options|parameters|params|settings|values|args|overrides?|` +
	`attributes|tags)$|^(pod|node|service)?(affinity|tolerations|securityContext)$|^(pod|service)metadata$|` +
	`^(resources|(pod|job|service)?template|manifest|properties|rawExtension)$|^(string|binary)?data$`)

// keeping matches a description of an object with keys of its user.
var keeping = regexp.MustCompile(`(?i)\b(is|as) an? (\w+[- ])?(map|dictionary)\b|` +
	`\b(arbitrary|free[- ]?form|key[-/ ]value|unstructured)\b`)

// emptied looks for an object that keeps nothing of what it is given.
func (w *walk) emptied(parent, n *node, name string) {
	properties, _ := n.doc["properties"].(map[string]any)
	if n.doc["type"] != "object" || len(properties) > 0 || n.isOpen() || n.isObject() ||
		parent.isOpen() || len(branchesOf(n.doc, "x-kubernetes-validations")) > 0 {
		return
	}
	siblings, _ := parent.doc["properties"].(map[string]any)
	description, _ := n.doc["description"].(string)
	switch {
	case name == "metadata" && len(siblings) > 1:
		w.add("LINT-empty", n.at, "declare the fields of metadata, e.g. by controller-gen's "+
			"`crd:generateEmbeddedObjectMeta=true`",
			"the object declares no field: the server removes labels, annotations and all else "+
				"that is written to it")
	case name == "spec" && (parent.isObject() && !parent.isRoot || siblings["metadata"] != nil &&
		!parent.isRoot):
		w.add("LINT-empty", n.at, "declare its fields, or add "+
			"`x-kubernetes-preserve-unknown-fields: true`",
			"the object declares no field: the server removes all that is written to it")
	case keepers.MatchString(name), keeping.MatchString(description), name == "value",
		name == "items":
		w.add("LINT-empty", n.at, "declare its fields, or add `additionalProperties` or "+
			"`x-kubernetes-preserve-unknown-fields: true`",
			"the object declares no field: the server removes all that is written to it")
	}
}

// emptyItems looks for a list or a map whose elements keep nothing.
func (w *walk) emptyItems(n *node) {
	w.keepsNothing(n.child("items"), "items")
	if values := n.child("additionalProperties"); values != nil && !isMeantEmpty(values.doc) {
		w.keepsNothing(values, "values of the map")
	}
}

// keepsNothing reports elements of a list or a map that declare no field.
func (w *walk) keepsNothing(element *node, name string) {
	if element == nil || element.doc["type"] != "object" || element.isOpen() ||
		element.isObject() || len(branchesOf(element.doc, "x-kubernetes-validations")) > 0 {
		return
	}
	if properties, _ := element.doc["properties"].(map[string]any); len(properties) == 0 {
		w.add("LINT-empty", element.at, "declare the fields of the "+name+", or add "+
			"`additionalProperties` or `x-kubernetes-preserve-unknown-fields: true`",
			"the %s declare no field: the server removes all that is written to them", name)
	}
}

// emptiness matches a description of values that are meant to be empty.
var emptiness = regexp.MustCompile(`(?i)\b(empty|nil|dummy|mark|marker|placeholder|no fields)\b`)

// isMeantEmpty reports whether values are described as empty: only the keys of
// the map count.
func isMeantEmpty(doc map[string]any) bool {
	description, _ := doc["description"].(string)
	return emptiness.MatchString(description)
}

// squeezed returns a text without spaces and with single quotes.
func squeezed(text string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(text), ""), `"`, "'")
}
