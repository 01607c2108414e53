package lint

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/kit/skew"
)

// Finding is a likely mistake.
type Finding struct {
	// Check is the id of the check, e.g. LINT-pattern.
	Check string
	// Path is the path of the keyword or the node in the definition, e.g.
	// "spec.versions[0].schema.openAPIV3Schema.properties[spec]".
	Path string
	// Text says what is wrong, and Hint how to fix it.
	Text, Hint string
	// Edits are the hint as edits of the definition, if it has that form. They
	// were tried.
	Edits []skew.Edit
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
	w := &walk{ctx: ctx, steps: maxSteps}
	trees := make([]*node, len(versions))
	for i, v := range versions {
		version, _ := v.(map[string]any)
		schema, _ := version["schema"].(map[string]any)
		root, _ := schema["openAPIV3Schema"].(map[string]any)
		at := fmt.Sprintf("spec.versions[%d]", i)
		tree := &node{at: at + ".schema.openAPIV3Schema", doc: root, isRoot: true, path: []string{}}
		w.root = tree
		w.visit(tree)
		trees[i] = tree
		w.served(at, version, tree)
		name, _ := version["name"].(string)
		if err := w.bounds(model.Version(name), tree.at); err != nil {
			return nil, err
		}
		if err := w.next(model.Version(name), document, tree.at); err != nil {
			return nil, err
		}
	}
	w.lost(spec, trees)
	return w.found, context.Cause(ctx)
}

// walk collects the findings.
type walk struct {
	ctx   context.Context
	steps int // that are left for evaluating rules
	found []Finding
	root  *node // that of the version that is looked at
	tried int   // rules that were evaluated for values
}

// maxSteps is the number of expressions that are evaluated for one definition.
const maxSteps = 1 << 22

// maxTried is the number of rules that are evaluated for values of one
// definition. What would take more is not looked for.
const maxTried = 400_000

// isOver reports whether the values of the definition take too long.
func (w *walk) isOver() bool { return w.tried > maxTried || w.ctx.Err() != nil }

func (w *walk) add(check, path, hint, format string, args ...any) {
	w.found = append(w.found,
		Finding{Check: check, Path: path, Text: fmt.Sprintf(format, args...), Hint: hint})
}

// visit looks at a node and at the nodes below it. Nodes in junctors restrict
// others: they are looked at with those.
func (w *walk) visit(n *node) {
	if w.ctx.Err() != nil {
		return
	}
	for _, look := range []func(*walk, *node){
		(*walk).pattern, (*walk).range_, (*walk).enum, (*walk).required, (*walk).branches,
		(*walk).unreachable, (*walk).listType, (*walk).rules, (*walk).surprises,
	} {
		look(w, n)
	}
	for _, child := range n.children() {
		w.visit(child)
	}
}

// node is a place of the schema that can hold values.
type node struct {
	at     string         // its path in the definition
	doc    map[string]any // its keywords
	isRoot bool
	path   []string // in an object, nil if it is not known

	judge    *trial // see trial
	isJudged bool
}

func (n *node) children() []*node {
	var list []*node
	for _, keyword := range []string{"additionalProperties", "items"} {
		if child := n.child(keyword); child != nil {
			list = append(list, child)
		}
	}
	properties, _ := n.doc["properties"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		if child := n.property(name); child != nil {
			list = append(list, child)
		}
	}
	return list
}

// child returns the node below a keyword, nil without one.
func (n *node) child(keyword string) *node {
	if doc, ok := n.doc[keyword].(map[string]any); ok {
		return &node{at: n.at + "." + keyword, doc: doc, path: n.step(anyItem)}
	}
	return nil
}

// step returns the path of a child.
func (n *node) step(name string) []string {
	if n.path == nil {
		return nil
	}
	return append(n.path[:len(n.path):len(n.path)], name)
}

// property returns the node of a declared field, nil for any other.
func (n *node) property(name string) *node {
	properties, _ := n.doc["properties"].(map[string]any)
	at := n.at + ".properties[" + name + "]"
	if doc, ok := properties[name].(map[string]any); ok && !(n.isObject() && name == "metadata") {
		return &node{at: at, doc: doc, path: n.step(name)}
	}
	switch {
	case !n.isObject():
	case name == "metadata":
		names := map[string]any{"type": "string"}
		return &node{at: at, doc: map[string]any{
			"type": "object", "required": []any{"name"},
			"properties": map[string]any{"name": names, "generateName": names},
		}}
	case name == "apiVersion", name == "kind":
		return &node{at: at, doc: map[string]any{"type": "string"}}
	}
	return nil
}

// isObject reports whether values are whole objects, which have metadata.
func (n *node) isObject() bool {
	return n.isRoot || n.doc["x-kubernetes-embedded-resource"] == true
}

// isOpen reports whether values may have fields that are not declared.
func (n *node) isOpen() bool {
	more, has := n.doc["additionalProperties"]
	return has && more != false || n.doc["x-kubernetes-preserve-unknown-fields"] == true
}

// has reports whether every value has a field: it is required, also by
// branches of junctors, or has a default.
func (n *node) has(name string) bool {
	property := n.property(name)
	if n.isObject() && (name == "apiVersion" || name == "kind" || name == "metadata" && n.isRoot) ||
		property != nil && property.doc["default"] != nil {
		return true
	}
	return requires(n.doc, name)
}

func requires(doc map[string]any, name string) bool {
	if slices.Contains(texts(doc["required"]), name) {
		return true
	}
	one := func(branch map[string]any) bool { return requires(branch, name) }
	all := func(list []map[string]any) bool {
		return len(list) > 0 && !slices.ContainsFunc(list, func(b map[string]any) bool {
			return !requires(b, name)
		})
	}
	return slices.ContainsFunc(branchesOf(doc, "allOf"), one) ||
		all(branchesOf(doc, "anyOf")) || all(branchesOf(doc, "oneOf"))
}

func branchesOf(doc map[string]any, keyword string) []map[string]any {
	var list []map[string]any
	values, _ := doc[keyword].([]any)
	for _, value := range values {
		branch, _ := value.(map[string]any)
		list = append(list, branch)
	}
	return list
}

// texts returns the strings of a list.
func texts(list any) []string {
	var out []string
	values, _ := list.([]any)
	for _, value := range values {
		if text, ok := value.(string); ok {
			out = append(out, text)
		}
	}
	return out
}
