package lint

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/crdsem/crdsem/internal/kit/jsonpath"
)

// served looks at what a version has next to its schema.
func (w *walk) served(at string, version map[string]any, root *node) {
	subresources, _ := version["subresources"].(map[string]any)
	scale, _ := subresources["scale"].(map[string]any)
	for _, of := range []struct{ keyword, effect string }{
		{"specReplicasPath", "the scale subresource fails"},
		{"statusReplicasPath", "a scale has 0 replicas in its status"},
		{"labelSelectorPath", "a scale has no selector, which an autoscaler needs"},
	} {
		path, _ := scale[of.keyword].(string)
		leaf := w.path(root, at+".subresources.scale."+of.keyword, path, of.effect)
		w.scaleType(leaf, at+".subresources.scale."+of.keyword, of.keyword)
	}
	columns, _ := version["additionalPrinterColumns"].([]any)
	for i, value := range columns {
		column, _ := value.(map[string]any)
		path, _ := column["jsonPath"].(string)
		place := fmt.Sprintf("%s.additionalPrinterColumns[%d].jsonPath", at, i)
		leaf := w.path(root, place, path, "the column is empty")
		columnType, _ := column["type"].(string)
		w.columnType(root, leaf, place, path, columnType)
	}
	_, hasStatus := subresources["status"]
	if status := root.property("status"); !hasStatus && status != nil {
		w.add("LINT-status", status.at, "add `subresources: {status: {}}` to the version",
			"the schema has a status, but there is no status subresource: clients that write the "+
				"object write the status too")
	}
}

// step matches a step of a path that the schema can be followed by.
var step = regexp.MustCompile(
	`^(?:\.((?:[A-Za-z_]|\\.)(?:[\w-]|\\.)*)|\[(?:['"]([^'"\]]*)['"]|[^\]]*)\])`)

// nameOf returns the name of a step, empty for a subscript that is none.
func nameOf(match []string) string { return strings.ReplaceAll(match[1], `\`, "") + match[2] }

// scaleType looks at the field that a path of the scale subresource leads to.
func (w *walk) scaleType(n *node, at, keyword string) {
	want := "integer"
	if keyword == "labelSelectorPath" {
		want = "string"
	}
	if n == nil || n.doc["x-kubernetes-int-or-string"] == true {
		return
	}
	if of, _ := n.doc["type"].(string); of != "" && of != want {
		w.add("LINT-column", at, "let the path lead to a field of type "+want,
			"the path leads to a field of type %s: the server wants %s, and refuses a write of "+
				"an object that has the field", of, want)
	}
}

// columnType looks at the field n that a printer column leads to.
func (w *walk) columnType(root, n *node, at, path, column string) {
	switch {
	case strings.HasSuffix(path, "()"):
		w.add("LINT-column", at, "let the path lead to a field",
			"%s ends with a function, and there is none: the column is empty", path)
	case root.spreads(path):
		w.add("LINT-column", at, "select one item, e.g. `[0]`, or by a filter",
			"%s can give several values: the column shows the first one", path)
	}
	if n == nil || n.doc["x-kubernetes-int-or-string"] == true {
		return
	}
	of, _ := n.doc["type"].(string)
	switch format, _ := n.doc["format"].(string); {
	case column != "date" || of != "string":
	case slices.Contains([]string{"date", "duration", "uuid", "ipv4"}, format):
		w.add("LINT-column", at, "make the column's type string, or the format date-time",
			"the column is of type date, and the field of format %s: the column is "+
				"<invalid>", format)
	case format == "" && !n.mayBeTime(path):
		w.add("LINT-column", at, "make the column's type string, or let the path lead to a time",
			"the column is of type date, and neither the name nor the description of the "+
				"string says that it is a time: the column is <invalid>")
	}
	fits := map[string][]string{
		"integer": {"integer", "number"}, "number": {"integer", "number"},
		"boolean": {"boolean"}, "date": {"string"},
	}[column]
	if fits != nil && of != "" && !slices.Contains(fits, of) {
		fit := of
		if of == "object" || of == "array" {
			fit = "string"
		}
		w.add("LINT-column", at, "make the column's type "+fit+", or fix the path",
			"the column is of type %s, and the field of type %s: the column is empty", column, of)
	}
}

// timeNames and timeWords match names and descriptions of times.
var (
	timeNames = regexp.MustCompile(`(?i)(time|times?tamp|date|dated|at|since|until|when|` +
		`created|updated|modified|seen|expir(y|es|ed|ation)|deadline|start|end|started|finished|` +
		`completed|last\w*|next\w*|not(before|after)|day|age)$`)
	timeWords = regexp.MustCompile(`(?i)\b(time|times|timestamp|date|dates|rfc ?-?3339|iso ?-?8601|` +
		`when|utc|moment|instant|day|clock)\b`)
)

// mayBeTime reports whether the string that a path leads to may be a time, as
// far as its name and its description say.
func (n *node) mayBeTime(path string) bool {
	name := path[strings.LastIndexAny(path, ".[")+1:]
	description, _ := n.doc["description"].(string)
	enum, _ := n.doc["enum"].([]any)
	return len(enum) == 0 && (timeNames.MatchString(strings.TrimRight(name, `'"]`)) ||
		timeWords.MatchString(description))
}

// spreads reports whether a path can give several values: it selects all of
// several items, a range, or members by a list of names. A filter is taken to
// select one.
func (n *node) spreads(path string) bool {
	template, err := jsonpath.Parse("{" + path + "}")
	if err != nil || !template.Spreads() {
		return false
	}
	for n != nil && path != "" {
		m := step.FindStringSubmatch(path)
		isAll := m != nil && m[0] == "[*]"
		switch {
		case m == nil, isAll && number(n.doc["maxItems"], 2) > 1,
			m[1] == "" && m[2] == "" && !isAll && !isOne(m[0]):
			return true
		}
		path = path[len(m[0]):]
		if next := n.property(nameOf(m)); next != nil {
			n = next
		} else {
			n = n.elements()
		}
	}
	return n == nil
}

// isOne reports whether a subscript selects one item at most.
func isOne(subscript string) bool {
	template, err := jsonpath.Parse("{" + subscript + "}")
	return err == nil && !template.Spreads()
}

// path looks for a field on a path that is not declared. It returns the node
// that the path leads to, nil if it cannot be followed to its end.
func (w *walk) path(root *node, at, path, effect string) *node {
	n := root
	if path == "" {
		return nil
	}
	for rest := path; rest != "" && n != nil; {
		m := step.FindStringSubmatch(rest)
		if m == nil {
			return nil
		}
		rest = rest[len(m[0]):]
		name := nameOf(m)
		if n.isObject() && name == "metadata" {
			return w.metadata(at, rest, effect)
		}
		switch next := n.property(name); {
		case isScalar(n):
			w.add("LINT-path", at, "fix the path",
				"%s of %s is asked of a field of type %s, which has nothing below it: %s",
				strings.TrimPrefix(m[0], "."), path, n.doc["type"], effect)
			return nil
		case name == "":
			n = n.elements()
			w.filter(n, at, path, m[0], effect)
		case next != nil:
			n = next
		case n.elements() != nil && n.doc["type"] == "object":
			n = n.elements()
		case n.doc["type"] == "array":
			w.add("LINT-path", at, "select an item, e.g. `[0]`, or by a filter",
				"%s of %s is a field of the items of a list, and no item is selected: %s",
				strings.TrimPrefix(m[0], "."), path, effect)
			return nil
		case n.isOpen() || n.doc["type"] != "object":
			return nil
		default:
			w.add("LINT-path", at, "declare the field in the schema, or fix the path",
				"the schema does not declare %s of %s: %s",
				strings.TrimPrefix(m[0], "."), path, effect)
			return nil
		}
	}
	return n
}

// fieldsOfMetadata are the fields that every object has, and their types.
var fieldsOfMetadata = map[string]string{
	"annotations": "object", "creationTimestamp": "string",
	"deletionGracePeriodSeconds": "integer", "deletionTimestamp": "string",
	"finalizers": "array", "generateName": "string", "generation": "integer",
	"labels": "object", "managedFields": "array", "name": "string", "namespace": "string",
	"ownerReferences": "array", "resourceVersion": "string", "selfLink": "string",
	"uid": "string",
}

// metadata looks at the rest of a path to metadata. It returns the field of
// metadata that the path leads to, nil if it leads further.
func (w *walk) metadata(at, rest, effect string) *node {
	m := step.FindStringSubmatch(rest)
	if m == nil || m[1] == "" {
		return nil
	}
	of, isKnown := fieldsOfMetadata[m[1]]
	switch {
	case !isKnown:
		w.add("LINT-path", at, "fix the path", "metadata has no field %s: %s", m[1], effect)
	case rest == m[0]:
		return &node{doc: map[string]any{"type": of}}
	}
	return nil
}

// filterField matches a field of an item that a filter asks for.
var filterField = regexp.MustCompile(`@\.([A-Za-z_][\w-]*)`)

// filter looks for a filter that asks for a field which the items do not have.
func (w *walk) filter(items *node, at, path, subscript, effect string) {
	if items == nil || items.isOpen() || items.doc["type"] != "object" ||
		!strings.HasPrefix(subscript, "[?") {
		return
	}
	for _, m := range filterField.FindAllStringSubmatch(subscript, -1) {
		if items.property(m[1]) == nil {
			w.add("LINT-path", at, "declare the field in the schema, or fix the filter",
				"the filter of %s asks for %s, which the items do not declare: %s", path, m[1],
				effect)
		}
	}
}

// elements returns the node of the items of a list, or of the values of a map.
func (n *node) elements() *node {
	if items := n.child("items"); items != nil {
		return items
	}
	return n.child("additionalProperties")
}
