package decl

import (
	"sync"
	"sync/atomic"

	"github.com/crdsem/crdsem/structural"
)

// Kind is how values of a node look in an expression.
type Kind uint8

// The kinds. Untyped nodes have no type at all, Unknown ones a type that does not exist.
const (
	Untyped Kind = iota
	Unknown
	IntOrString
	Object
	List
	String
	Bytes
	Duration
	Date
	DateTime
	Number
	Integer
	Boolean
)

// Node is one schema node as CEL sees it. It is immutable to its users and safe for concurrent use.
type Node struct {
	// Schema holds what the document says; it is nil for metadata that only CEL declares.
	Schema *structural.Schema
	// Kind is how values look.
	Kind Kind
	// Resource tells whether apiVersion, kind and metadata are declared beyond what the schema says.
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

// Universe hands out the nodes of one or more schemas, one for each schema node and role. The zero value is ready to use.
type Universe struct {
	mu    sync.Mutex
	nodes map[nodeKey]*Node
	meta  map[[2]int64]*Node
	text  map[int64]*Node

	canonical    map[likeness]*Node
	fingerprints map[*structural.Schema]fingerprint
}

// Drop forgets the nodes. Those in use stay as they are; a node that is asked for afterwards is a new one.
func (u *Universe) Drop() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.nodes, u.meta, u.text, u.canonical, u.fingerprints = nil, nil, nil, nil, nil
}

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
	if u.nodes == nil {
		u.nodes = map[nodeKey]*Node{}
	}
	u.nodes[key] = n
	return n
}

func kindOf(s *structural.Schema) Kind {
	if s.IntOrString() {
		return IntOrString
	}
	switch s.Type() {
	case "":
		return Untyped
	case "object":
		return Object
	case "array":
		return List
	case "string":
		return stringKind(s.Values().Format)
	case "number":
		return Number
	case "integer":
		return Integer
	case "boolean":
		return Boolean
	}
	return Unknown
}

func stringKind(format string) Kind {
	switch format {
	case "byte":
		return Bytes
	case "duration":
		return Duration
	case "date":
		return Date
	case "date-time":
		return DateTime
	}
	return String
}

// declaresResource tells whether the schema itself declares all that a resource root must have (CEL-024).
func declaresResource(s *structural.Schema) bool {
	meta := s.Property("metadata")
	return s.Property("kind").Type() == "string" && s.Property("apiVersion").Type() == "string" &&
		meta.Type() == "object" && meta.Property("name").Type() == "string" && meta.Property("generateName").Type() == "string"
}

// IsObject tells whether values have declared fields, rather than arbitrary keys (CEL-047).
func (n *Node) IsObject() bool { return n.hasFields }

// IsPlainList tells whether values are lists whose items have a schema and whose list type is a known one.
func (n *Node) IsPlainList() bool { return n.plainList }

// Property returns the node of a property by its name in the document, nil if it is not declared.
func (n *Node) Property(name string) *Node {
	if props := n.props.Load(); props != nil {
		return (*props)[name]
	}
	return n.expand()[name]
}

// expand makes the nodes of all properties once.
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

// Elem returns the node of list items or of map values, nil if there is none.
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

// Value returns the node that describes the value of a key of the document, nil if the schema has none: that of a
// declared property for objects, otherwise that of map values.
func (n *Node) Value(key string) *Node {
	if n.IsObject() {
		return n.Property(key)
	}
	return n.Elem()
}

// Lengths of metadata.name and metadata.generateName; the server appends at least one byte to the latter.
const (
	nameMaxLength         = 253
	generateNameMaxLength = nameMaxLength - 1
	unlimited             = int64(-1)
)

func (u *Universe) metadataNode(declared *structural.Schema) *Node {
	name := shorter(declared.Property("name"), nameMaxLength)
	generateName := shorter(declared.Property("generateName"), generateNameMaxLength)
	props := map[string]*Node{"name": u.textNode(name), "generateName": u.textNode(generateName)}
	u.mu.Lock()
	defer u.mu.Unlock()
	key := [2]int64{name, generateName}
	if n, ok := u.meta[key]; ok {
		return n
	}
	n := &Node{Kind: Object, hasFields: true, universe: u}
	n.props.Store(&props)
	if u.meta == nil {
		u.meta = map[[2]int64]*Node{}
	}
	u.meta[key] = n
	return n
}

func shorter(s *structural.Schema, limit int64) int64 {
	if m := s.Values().MaxLength; m != nil && *m < limit {
		return max(*m, 0)
	}
	return limit
}

// textNode returns the node of a string of at most so many characters.
func (u *Universe) textNode(maxLength int64) *Node {
	u.mu.Lock()
	defer u.mu.Unlock()
	if n, ok := u.text[maxLength]; ok {
		return n
	}
	n := &Node{Kind: String, hasFields: true, universe: u}
	if maxLength != unlimited {
		n.maxLength = &maxLength
	}
	if u.text == nil {
		u.text = map[int64]*Node{}
	}
	u.text[maxLength] = n
	return n
}
