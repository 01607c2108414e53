package lint

import (
	"fmt"
	"regexp"
	"strings"
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
		w.path(root, at+".subresources.scale."+of.keyword, path, of.effect)
	}
	columns, _ := version["additionalPrinterColumns"].([]any)
	for i, value := range columns {
		column, _ := value.(map[string]any)
		path, _ := column["jsonPath"].(string)
		w.path(root, fmt.Sprintf("%s.additionalPrinterColumns[%d].jsonPath", at, i), path,
			"the column is empty")
	}
	_, hasStatus := subresources["status"]
	if status := root.property("status"); !hasStatus && status != nil {
		w.add("LINT-status", status.at, "add `subresources: {status: {}}` to the version",
			"the schema has a status, but there is no status subresource: clients that write the "+
				"object write the status too")
	}
}

// step matches a step of a path that the schema can be followed by.
var step = regexp.MustCompile(`^(?:\.([A-Za-z_][\w-]*)|\[(?:['"]([^'"\]]*)['"]|[^\]]*)\])`)

// path looks for a field on a path that is not declared.
func (w *walk) path(root *node, at, path, effect string) {
	n := root
	for rest := path; rest != "" && n != nil; {
		m := step.FindStringSubmatch(rest)
		if m == nil || n.isObject() && (m[1] == "metadata" || m[2] == "metadata") {
			return
		}
		rest = rest[len(m[0]):]
		name := m[1] + m[2]
		switch next := n.property(name); {
		case name == "":
			n = n.elements()
		case next != nil:
			n = next
		case n.elements() != nil && n.doc["type"] == "object":
			n = n.elements()
		case n.isOpen() || n.doc["type"] != "object":
			return
		default:
			w.add("LINT-path", at, "declare the field in the schema, or fix the path",
				"the schema does not declare %s of %s: %s",
				strings.TrimPrefix(m[0], "."), path, effect)
			return
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
