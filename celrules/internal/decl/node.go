package decl

import (
	"sync"
	"sync/atomic"

	"github.com/crdsem/crdsem/structural"
)

// Node is one schema node as CEL sees it. It is immutable for its users and
// safe for concurrent use.
type Node struct {
	// Schema is the schema, nil for metadata that only CEL declares.
	Schema *structural.Schema
	// Kind is the kind of its CEL type.
	Kind Kind
	// Resource reports whether apiVersion, kind and metadata are declared in
	// addition to the schema.
	Resource bool

	hasFields bool   // see IsObject
	plainList bool   // see IsPlainList
	maxLength *int64 // overrides the schema's
	universe  *Universe
	props     atomic.Pointer[map[string]*Node]
	elem      atomic.Pointer[Node]
	typing    sync.Once
	measured  measure
}

// Universe has the nodes of one or more schemas, one node for each schema node
// and role. The zero value is ready to use, for the newest minor. It is safe
// for concurrent use.
type Universe struct {
	variant Variant

	mu    sync.Mutex
	nodes map[nodeKey]*Node
	meta  map[[2]int64]*Node
	text  map[int64]*Node

	canonical    map[likeness]*Node
	fingerprints map[*structural.Schema]fingerprint
}

// Drop removes all nodes. Nodes in use stay valid. A node that is asked for
// afterwards is a new one.
func (u *Universe) Drop() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.nodes, u.meta, u.text, u.canonical, u.fingerprints = nil, nil, nil, nil, nil
}

// nodeKey identifies a node.
type nodeKey struct {
	schema   *structural.Schema
	resource bool // it describes a resource
}

// Root returns the node of a schema that describes a whole resource.
func (u *Universe) Root(schema *structural.Schema) *Node { return u.node(nodeKey{schema, true}) }

// Inner returns the node of any other schema.
func (u *Universe) Inner(schema *structural.Schema) *Node {
	return u.node(nodeKey{schema, schema.EmbeddedResource()})
}

// node returns the node of a key.
func (u *Universe) node(key nodeKey) *Node {
	u.mu.Lock()
	defer u.mu.Unlock()
	if n, ok := u.nodes[key]; ok {
		return n
	}
	schema := key.schema
	n := &Node{Schema: schema, Kind: kindOf(schema), universe: u}
	n.Resource = key.resource && !declaresResource(schema)
	n.hasFields = n.Resource || schema.HasProperties()
	switch schema.ListType() {
	case "", structural.ListAtomic, structural.ListSet, structural.ListMap:
		n.plainList = n.Kind == List && schema.Items() != nil && !n.Resource
	}
	put(&u.nodes, key, n)
	return n
}

// put puts a value into a map, which may be nil yet.
func put[K comparable, V any](m *map[K]V, key K, value V) {
	if *m == nil {
		*m = map[K]V{}
	}
	(*m)[key] = value
}

// IsObject reports whether values have declared fields instead of arbitrary
// keys (CEL-047).
func (n *Node) IsObject() bool { return n.hasFields }

// IsPlainList reports whether values are lists whose items have a schema and
// whose list type is a known one.
func (n *Node) IsPlainList() bool { return n.plainList }

// Property returns the node of a property by its name in the document, nil if
// it is not declared.
func (n *Node) Property(name string) *Node {
	if props := n.props.Load(); props != nil {
		return (*props)[name]
	}
	return n.expand()[name]
}

// expand builds the nodes of all properties once.
func (n *Node) expand() map[string]*Node {
	props := make(map[string]*Node, len(n.Schema.PropertyNames())+3)
	for name, child := range n.Schema.Properties() {
		props[name] = n.universe.Inner(child)
	}
	if n.Resource {
		plain := n.universe.textNode(unlimited)
		props["kind"], props["apiVersion"] = plain, plain
		props["metadata"] = n.universe.metadataNode(n.Schema.Property("metadata"))
	}
	n.props.CompareAndSwap(nil, &props)
	return *n.props.Load()
}

// Elem returns the node of list items or of map values, nil if there are none.
func (n *Node) Elem() *Node {
	if e := n.elem.Load(); e != nil {
		return e
	}
	var schema *structural.Schema
	switch n.Kind {
	case List:
		schema = n.Schema.Items()
		if n.Resource {
			schema = nil
		}
	case Object:
		schema = n.Schema.AdditionalSchema()
	}
	if schema == nil {
		return nil
	}
	n.elem.CompareAndSwap(nil, n.universe.Inner(schema))
	return n.elem.Load()
}

// Value returns the node that describes the value of a key of the document: of
// a declared property in an object, of the map values in a map. It returns nil
// if the schema has none.
func (n *Node) Value(key string) *Node {
	if n.IsObject() {
		return n.Property(key)
	}
	return n.Elem()
}
