package lint

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/crdsem/crdsem/definition"
)

// The checks.
const (
	// Pattern: no string matches the pattern.
	Pattern = "LINT-pattern"
	// Length: no string that matches the pattern is as short or as long as the
	// bounds ask for, or the bounds exclude each other.
	Length = "LINT-length"
	// Enum: the other keywords of the node refuse a value of the enum, e.g. a
	// boolean in an enum of strings.
	Enum = "LINT-enum"
	// ListType: the items of a list have a key, but the list is atomic.
	ListType = "LINT-listtype"
	// Bound: the cost of a rule depends on a list or map without a bound.
	Bound = "LINT-bound"
	// Boolean: a key is not in quotes, and a boolean in YAML 1.1.
	Boolean = "LINT-boolean"
)

// Finding is a likely mistake.
type Finding struct {
	// Check is the check, e.g. LINT-pattern.
	Check string
	// Path is the path of the keyword or the node in the definition, e.g.
	// "spec.versions[0].schema.openAPIV3Schema.properties[spec]".
	Path string
	// Text says what is wrong, and Hint how to fix it.
	Text, Hint string
}

// Definition returns the findings about a definition of
// apiextensions.k8s.io/v1. model is the definition, compiled, and document its
// text, decoded, which is not changed. The error is the cause of the context's
// end.
func Definition(
	ctx context.Context, model *definition.Model, document map[string]any,
) ([]Finding, error) {
	spec, _ := document["spec"].(map[string]any)
	versions, _ := spec["versions"].([]any)
	var found []Finding
	for i, v := range versions {
		version, _ := v.(map[string]any)
		schema, _ := version["schema"].(map[string]any)
		root, _ := schema["openAPIV3Schema"].(map[string]any)
		at := fmt.Sprintf("spec.versions[%d].schema.openAPIV3Schema", i)
		w := &walk{}
		w.node(at, root)
		found = append(found, w.found...)
		name, _ := version["name"].(string)
		bounds, err := boundsOf(ctx, model, name, at)
		if err != nil {
			return nil, err
		}
		found = append(found, bounds...)
	}
	return found, nil
}

// walk collects the findings about the nodes of a schema.
type walk struct{ found []Finding }

func (w *walk) add(check, path, hint, format string, args ...any) {
	w.found = append(w.found, Finding{check, path, fmt.Sprintf(format, args...), hint})
}

// node looks at a node and at the nodes below it. Nodes in junctors restrict
// others, and are not looked at.
func (w *walk) node(at string, node map[string]any) {
	w.strings(at, node)
	w.listType(at, node)
	for _, keyword := range []string{"additionalProperties", "items"} {
		if child, ok := node[keyword].(map[string]any); ok {
			w.node(at+"."+keyword, child)
		}
	}
	properties, _ := node["properties"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		if child, ok := properties[name].(map[string]any); ok {
			w.node(at+".properties["+name+"]", child)
		}
	}
}
