package dom

import (
	"cmp"
	"slices"
	"strings"

	"github.com/crdsem/crdsem/internal/base/intern"
)

// Node is a part of a document: a scalar, a list or an object. Equal parts of a
// document are the same node, so that a reader can process each part once. A
// nil node is null. Nodes are immutable.
type Node struct {
	id      uint32
	kind    nodeKind
	text    string
	scalar  any
	entries []Entry
}

type nodeKind uint8

const (
	isText nodeKind = iota
	isScalar
	isList
	isObject
)

// Entry is a member of an object, or an item of a list. An item has no key.
type Entry struct {
	key   *Node
	Value *Node
}

// Key returns the key of a member.
func (e Entry) Key() string { return e.key.text }

// Text returns the string that a node is. It reports false if the node is not a
// string.
func (n *Node) Text() (string, bool) {
	if n == nil || n.kind != isText {
		return "", false
	}
	return n.text, true
}

// Scalar returns a bool, an int64 or a float64, or a value that JSON does not
// have. It returns nil if the node is something else.
func (n *Node) Scalar() any {
	if n == nil {
		return nil
	}
	return n.scalar
}

// Members returns the members of an object, each key once, in no particular
// order. They must not be changed. The members of an object that was a nil map
// are nil. It reports false if the node is not an object.
func (n *Node) Members() ([]Entry, bool) {
	if n == nil || n.kind != isObject {
		return nil, false
	}
	return n.entries, true
}

// Items returns the items of a list, which must not be changed. It reports
// false if the node is not a list.
func (n *Node) Items() ([]Entry, bool) {
	if n == nil || n.kind != isList {
		return nil, false
	}
	return n.entries, true
}

// Value returns a new value with the content of the node.
func (n *Node) Value() any {
	switch {
	case n == nil:
		return nil
	case n.kind == isText:
		return n.text
	case n.kind == isScalar:
		return n.scalar
	case n.kind == isList && n.entries == nil:
		return []any(nil)
	case n.kind == isList:
		list := make([]any, len(n.entries))
		for i, e := range n.entries {
			list[i] = e.Value.Value()
		}
		return list
	case n.entries == nil:
		return map[string]any(nil)
	}
	object := make(map[string]any, len(n.entries))
	for _, e := range n.entries {
		object[e.key.text] = e.Value.Value()
	}
	return object
}

// Builder makes the nodes of a document. The zero value is ready to use. It is
// not safe for concurrent use.
//
// A node is found by its content: strings by their text, all others by a key
// that has the kind and, in a container, the IDs of its entries. Equal
// contents have equal keys because their parts are nodes of the same Builder.
type Builder struct {
	texts   map[string]*Node
	others  map[string]*Node // by key
	last    uint32
	key     intern.Key // of the node that is looked up
	entries []Entry    // a stack: those of the nodes that are being made
}

// Of returns the node of a value, which is neither changed nor kept. A value of
// a Go type that JSON does not have is a scalar.
func (b *Builder) Of(value any) *Node {
	switch v := value.(type) {
	case nil:
		return nil
	case string:
		return b.Text(v)
	case bool, int64, float64:
		return b.scalar(v)
	case []any:
		if v == nil {
			return &Node{id: b.next(), kind: isList}
		}
		start := b.Mark()
		for _, item := range v {
			b.AddItem(b.Of(item))
		}
		return b.List(start)
	case map[string]any:
		if v == nil {
			return &Node{id: b.next(), kind: isObject}
		}
		start := b.Mark()
		for key, member := range v {
			b.AddMember(key, b.Of(member))
		}
		object, _ := b.Object(start)
		return object
	}
	return &Node{id: b.next(), kind: isScalar, scalar: value}
}

func (b *Builder) next() uint32 {
	b.last++
	return b.last
}

// Text returns the node of a string. It copies a new string, so that the node
// does not keep the whole document alive.
func (b *Builder) Text(text string) *Node {
	if known, ok := b.texts[text]; ok {
		return known
	}
	if b.texts == nil {
		b.texts = map[string]*Node{}
	}
	text = strings.Clone(text)
	node := &Node{id: b.next(), text: text}
	b.texts[text] = node
	return node
}

// scalar returns the node of a bool, an int64 or a float64.
func (b *Builder) scalar(scalar any) *Node {
	b.key = b.key[:0]
	b.key.Value(scalar)
	if known, ok := b.others[string(b.key)]; ok {
		return known
	}
	return b.keep(Node{kind: isScalar, scalar: scalar})
}

// Mark returns the position at which a new list or object starts. Its entries
// follow by AddItem or AddMember, and List or Object ends it. Marks nest.
func (b *Builder) Mark() int { return len(b.entries) }

// AddItem adds an item to the list that is being made.
func (b *Builder) AddItem(item *Node) { b.entries = append(b.entries, Entry{Value: item}) }

// AddMember adds a member to the object that is being made.
func (b *Builder) AddMember(key string, value *Node) {
	b.entries = append(b.entries, Entry{b.Text(key), value})
}

// List ends a list: it takes away the entries from start on and returns their
// node.
func (b *Builder) List(start int) *Node {
	entries := b.entries[start:]
	b.entries = b.entries[:start]
	b.key = append(b.key[:0], 'l') // list
	for _, e := range entries {
		b.key.Uint(e.Value.identity())
	}
	if known, ok := b.others[string(b.key)]; ok {
		return known
	}
	return b.keep(Node{kind: isList, entries: append(make([]Entry, 0, len(entries)), entries...)})
}

// Object ends an object: it takes away the entries from start on and returns
// their node. It reports false if a key is there twice.
func (b *Builder) Object(start int) (*Node, bool) {
	entries := b.entries[start:]
	b.entries = b.entries[:start]
	slices.SortFunc(entries, func(a, b Entry) int { return cmp.Compare(a.key.id, b.key.id) })
	b.key = append(b.key[:0], 'o') // object
	for _, e := range entries {
		b.key.Uint(e.key.identity())
		b.key.Uint(e.Value.identity())
	}
	if known, ok := b.others[string(b.key)]; ok {
		return known, true
	}
	for i := range entries {
		if i > 0 && entries[i].key == entries[i-1].key {
			return nil, false
		}
	}
	kept := append(make([]Entry, 0, len(entries)), entries...)
	return b.keep(Node{kind: isObject, entries: kept}), true
}

// identity returns a number that differs for each node. It is 0 for null.
func (n *Node) identity() uint64 {
	if n == nil {
		return 0
	}
	return uint64(n.id)
}

// keep gives a new node an ID and stores it under b.key.
func (b *Builder) keep(node Node) *Node {
	if b.others == nil {
		b.others = map[string]*Node{}
	}
	node.id = b.next()
	kept := new(Node)
	*kept = node
	b.others[string(b.key)] = kept
	return kept
}
