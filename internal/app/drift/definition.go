package drift

import (
	"fmt"
	"slices"
	"strings"

	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
)

// OfDefinition returns the drift of a definition. A server decodes it into its
// types, which leave out values that are empty, and writes what they hold.
func OfDefinition(object map[string]any) ([]Drift, error) {
	_, strict, err := definition.FromMap(object)
	if err != nil {
		return nil, err
	}
	w := &walk{}
	for _, objection := range strict {
		for _, text := range jsonvalue.SplitYAMLErrors(objection.Error()) {
			if path, ok := strings.CutPrefix(text, `unknown field "`); ok {
				w.add(strings.TrimSuffix(path, `"`), "the server does not know the field",
					"PIPE-006")
			}
		}
	}
	if _, has := object["status"]; has {
		w.add("status", "the server writes the status", "CRD-110")
	}
	spec, _ := object["spec"].(map[string]any)
	w.fields("spec", spec, emptyOfSpec)
	names, _ := spec["names"].(map[string]any)
	w.fields("spec.names", names, emptyOfNames)
	versions, _ := spec["versions"].([]any)
	for i, v := range versions {
		version, _ := v.(map[string]any)
		at := fmt.Sprintf("spec.versions[%d]", i)
		w.fields(at, version, emptyOfVersion)
		columns, _ := version["additionalPrinterColumns"].([]any)
		for j, c := range columns {
			column, _ := c.(map[string]any)
			w.fields(fmt.Sprintf("%s.additionalPrinterColumns[%d]", at, j), column, emptyOfColumn)
		}
		schema, _ := version["schema"].(map[string]any)
		w.schema(at+".schema.openAPIV3Schema", schema["openAPIV3Schema"])
	}
	slices.SortStableFunc(w.found, func(a, b Drift) int { return strings.Compare(a.Path, b.Path) })
	return w.found, nil
}

// The fields whose empty values the server leaves out, by where they are
// (omitempty of k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1).
var (
	emptyOfSpec    = []string{"preserveUnknownFields"}
	emptyOfNames   = []string{"singular", "shortNames", "listKind", "categories"}
	emptyOfVersion = []string{
		"deprecated", "additionalPrinterColumns", "selectableFields",
	}
	emptyOfColumn = []string{"format", "description", "priority"}
	emptyOfSchema = []string{
		"id", "$schema", "description", "type", "format", "title", "exclusiveMaximum",
		"exclusiveMinimum", "pattern", "uniqueItems", "enum", "required", "allOf", "oneOf",
		"anyOf", "properties", "patternProperties", "dependencies", "definitions", "nullable",
		"x-kubernetes-embedded-resource", "x-kubernetes-int-or-string",
		"x-kubernetes-list-map-keys", "x-kubernetes-validations",
	}
	emptyOfRule = []string{"message", "messageExpression", "fieldPath"}
)

// walk collects the drift of a definition.
type walk struct{ found []Drift }

func (w *walk) add(path, why, rule string) {
	w.found = append(w.found, Drift{Path: path, Why: why, Rule: rule, Tools: []Tool{ArgoCD}})
}

// fields looks at the values of an object: some fields are left out if they are
// empty, and all if they are null.
func (w *walk) fields(at string, object map[string]any, omitted []string) {
	for _, key := range jsonvalue.SortedKeys(object) {
		value := object[key]
		path := at + "." + key
		switch {
		case value == nil && key != "default":
			w.add(path, "the server leaves out a null", "STR-002")
		case isEmpty(value) && slices.Contains(omitted, key):
			w.add(path, "the server leaves out an empty value", "STR-002")
		}
	}
}

// isEmpty reports whether a value is left out of JSON by omitempty.
func isEmpty(value any) bool {
	switch v := value.(type) {
	case string:
		return v == ""
	case bool:
		return !v
	case int64:
		return v == 0
	case []any:
		return len(v) == 0
	case map[string]any:
		return len(v) == 0
	}
	return false
}

// schema walks through a schema node.
func (w *walk) schema(at string, value any) {
	node, ok := value.(map[string]any)
	if !ok {
		return
	}
	w.fields(at, node, emptyOfSchema)
	for _, key := range []string{"properties", "patternProperties", "definitions"} {
		children, _ := node[key].(map[string]any)
		for _, name := range jsonvalue.SortedKeys(children) {
			w.schema(fmt.Sprintf("%s.%s[%s]", at, key, name), children[name])
		}
	}
	for _, key := range []string{"items", "additionalProperties", "not"} {
		w.schema(at+"."+key, node[key])
	}
	for _, key := range []string{"allOf", "anyOf", "oneOf"} {
		branches, _ := node[key].([]any)
		for i, branch := range branches {
			w.schema(fmt.Sprintf("%s.%s[%d]", at, key, i), branch)
		}
	}
	rules, _ := node["x-kubernetes-validations"].([]any)
	for i, r := range rules {
		rule, _ := r.(map[string]any)
		w.fields(fmt.Sprintf("%s.x-kubernetes-validations[%d]", at, i), rule, emptyOfRule)
	}
}
