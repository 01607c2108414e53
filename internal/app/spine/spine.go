// Package spine defines the nodes of a schema outside junctors, with the values
// that a request has for each.
package spine

import (
	"cmp"
	"context"
	"fmt"
	"iter"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/base/schemapath"
	"github.com/crdsem/crdsem/kit/crdtest"
)

// Root is the path of the root of a schema.
const Root = "openAPIV3Schema"

// Node is a node of a schema.
type Node struct {
	// Path is the path of the node, e.g. openAPIV3Schema.properties[spec].
	Path string
	// Raw is the schema as decoded JSON.
	Raw map[string]any

	properties        map[string]*Node
	items, additional *Node
	valid             Check // of the type
}

// Of returns the root of a version's schema, and what precedes the paths of its
// nodes in the definition. A version that the definition lacks has an empty
// schema.
func Of(crd *crdtest.CRD, version string) (root *Node, prefix string) {
	versions, _ := jsonvalue.At(crd.Object(), "spec", "versions").([]any)
	for i, v := range versions {
		if jsonvalue.At(v, "name") == version {
			raw, _ := jsonvalue.At(v, "schema", Root).(map[string]any)
			return newNode(raw, Root), fmt.Sprintf("spec.versions[%d].schema.", i)
		}
	}
	return newNode(nil, Root), ""
}

func newNode(raw map[string]any, path string) *Node {
	n := &Node{Path: path, Raw: raw, valid: NewCheck(Part(raw))}
	properties, _ := raw["properties"].(map[string]any)
	for name, value := range properties {
		if property, ok := value.(map[string]any); ok {
			if n.properties == nil {
				n.properties = map[string]*Node{}
			}
			n.properties[name] = newNode(property, path+".properties["+name+"]")
		}
	}
	if items, ok := raw["items"].(map[string]any); ok {
		n.items = newNode(items, path+".items")
	}
	if additional, ok := raw["additionalProperties"].(map[string]any); ok {
		n.additional = newNode(additional, path+".additionalProperties")
	}
	return n
}

// All iterates over the node and the nodes below it. A node comes before those
// below it; properties are sorted.
func (n *Node) All() iter.Seq[*Node] {
	return func(yield func(*Node) bool) { n.each(yield) }
}

// each calls yield for all nodes until it returns false.
func (n *Node) each(yield func(*Node) bool) bool {
	if n == nil {
		return true
	}
	if !yield(n) {
		return false
	}
	for _, name := range jsonvalue.SortedKeys(n.properties) {
		if !n.properties[name].each(yield) {
			return false
		}
	}
	return n.items.each(yield) && n.additional.each(yield)
}

// Walk calls visit for each node that has a value in the object of a request,
// or in its status if the request changes that alone. typed is false for a null
// and for a value of another type than that of its node. It is not looked into.
func (n *Node) Walk(
	ctx context.Context, x *crdtest.Exchange, visit func(n *Node, value any, typed bool),
) {
	w := &walk{ctx, visit}
	if x.Verb == crdtest.UpdateStatus {
		w.field(n, "status", x.Result.Object)
	} else {
		w.value(n, x.Result.Object)
	}
}

type walk struct {
	ctx   context.Context
	visit func(n *Node, value any, typed bool)
}

// value visits a node with its value, and the nodes below.
func (w *walk) value(n *Node, value any) {
	if n == nil || n.Raw == nil {
		return
	}
	typed := value != nil && n.valid.Holds(w.ctx, value)
	w.visit(n, value, typed)
	if !typed {
		return
	}
	switch v := value.(type) {
	case map[string]any:
		for name := range v {
			w.field(n, name, v)
		}
	case []any:
		for _, item := range v {
			w.value(n.items, item)
		}
	}
}

// field visits the node of a field of an object, if the object has it.
func (w *walk) field(n *Node, name string, object map[string]any) {
	value, ok := object[name]
	if !ok {
		return
	}
	below := n.properties[name]
	if below == nil {
		below = n.additional
	}
	w.value(below, value)
}

// Field names the field that a schema path describes, e.g. spec.ports[*].name.
func Field(path string) string { return cmp.Or(schemapath.Field(path), "the object") }
