package lint

import (
	"maps"
	"slices"
	"strings"
)

// surprises looks for keywords of a node that do not do what they seem to do.
func (w *walk) surprises(n *node) {
	w.wrongType(n)
	if enum, _ := n.doc["enum"].([]any); n.doc["nullable"] == true && len(enum) > 0 {
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
		if !n.has(name) && isSwitchedOn(child) {
			w.add("LINT-parentdefault", child.at, "add `default: {}` to the object",
				"the fields of the object have defaults, and the object is optional and has none: "+
					"an object without it has none of them")
		}
		w.emptied(n, child, name)
	}
}

// keywordsOfTypes are the keywords that mean something for one type only.
var keywordsOfTypes = map[string][]string{
	"string": {"maxLength", "minLength", "pattern"},
	"number": {"exclusiveMaximum", "exclusiveMinimum", "maximum", "minimum", "multipleOf"},
	"array":  {"maxItems", "minItems", "uniqueItems"},
	"object": {"maxProperties", "minProperties", "required"},
}

// wrongType looks for keywords that mean nothing for the type of the node.
func (w *walk) wrongType(n *node) {
	of, _ := n.doc["type"].(string)
	if of == "integer" {
		of = "number"
	}
	if keywordsOfTypes[of] == nil || n.doc["x-kubernetes-int-or-string"] == true {
		return
	}
	for _, other := range slices.Sorted(maps.Keys(keywordsOfTypes)) {
		for _, keyword := range keywordsOfTypes[other] {
			if value := n.doc[keyword]; other != of && value != nil && value != false {
				w.add("LINT-type", n.at+"."+keyword, "remove the keyword, or fix the type",
					"`%s` means nothing for a field of type %v", keyword, n.doc["type"])
			}
		}
	}
}

// isSwitchedOn reports whether all fields of an object have defaults, and one
// of them is true: whoever leaves the object out expects that it is on.
func isSwitchedOn(n *node) bool {
	properties, _ := n.doc["properties"].(map[string]any)
	isOn := false
	for name := range properties {
		child := n.property(name)
		if child == nil || child.doc["default"] == nil {
			return false
		}
		isOn = isOn || child.doc["default"] == true
	}
	return isOn && n.doc["type"] == "object"
}

// keepers are names of fields whose keys are the user's.
var keepers = []string{
	"annotations", "config", "configuration", "data", "labels", "options", "parameters",
	"settings", "values",
}

// emptied looks for an object that keeps nothing of what it is given.
func (w *walk) emptied(parent, n *node, name string) {
	properties, _ := n.doc["properties"].(map[string]any)
	if n.doc["type"] != "object" || len(properties) > 0 || n.isOpen() || n.isObject() {
		return
	}
	_, hasSpec := parent.doc["properties"].(map[string]any)["spec"]
	switch {
	case name == "metadata" && hasSpec:
		w.add("LINT-empty", n.at, "declare the fields of metadata, e.g. by controller-gen's "+
			"`crd:generateEmbeddedObjectMeta=true`",
			"the object declares no field: the server removes labels, annotations and all else "+
				"that is written to it")
	case slices.Contains(keepers, name):
		w.add("LINT-empty", n.at, "declare its fields, or add `additionalProperties` or "+
			"`x-kubernetes-preserve-unknown-fields: true`",
			"the object declares no field: the server removes all that is written to it")
	}
}

// squeezed returns a text without spaces and with single quotes.
func squeezed(text string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(text), ""), `"`, "'")
}
