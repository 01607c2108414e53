package jsonvalue

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"
	"strings"
)

// Node is a part of a document: a scalar, a list or an object. Equal parts of a document are one node, so that whoever reads a document that
// repeats itself, as definitions do, can read each part once. A nil node is null. Nodes are immutable.
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

// Entry is a member of an object, or an item of a list, which has no key.
type Entry struct {
	key   *Node
	Value *Node
}

// Key returns the key of a member.
func (e Entry) Key() string { return e.key.text }

// Text returns the text that a node is; false if it is none.
func (n *Node) Text() (string, bool) {
	if n == nil || n.kind != isText {
		return "", false
	}
	return n.text, true
}

// Scalar returns a bool, an int64 or a float64, or a value that JSON does not have; nil if the node is none of these.
func (n *Node) Scalar() any {
	if n == nil {
		return nil
	}
	return n.scalar
}

// Members returns the members of an object, each key once, in an order that means nothing; false if the node is no object. They must not be
// changed. Those of an object that was a nil map are nil.
func (n *Node) Members() ([]Entry, bool) {
	if n == nil || n.kind != isObject {
		return nil, false
	}
	return n.entries, true
}

// Items returns the items of a list; false if the node is no list. They must not be changed.
func (n *Node) Items() ([]Entry, bool) {
	if n == nil || n.kind != isList {
		return nil, false
	}
	return n.entries, true
}

// Value returns what the node says as a value of its own.
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

// Nodes makes the nodes of a document. The zero value is ready to use.
type Nodes struct {
	texts   map[string]*Node
	others  map[string]*Node // by what tells them apart: the kind, and the content or the identities of what is in them
	last    uint32
	key     []byte
	entries []Entry // of the nodes that are being made
}

// Of returns the node of a value, which is neither changed nor kept. A value of a kind that JSON does not have is a scalar.
func (n *Nodes) Of(value any) *Node {
	switch v := value.(type) {
	case nil:
		return nil
	case string:
		return n.ofText(v)
	case bool, int64, float64:
		return n.ofScalar(v)
	case []any:
		if v == nil {
			return &Node{id: n.next(), kind: isList}
		}
		start := len(n.entries)
		for _, item := range v {
			entry := Entry{Value: n.Of(item)}
			n.entries = append(n.entries, entry)
		}
		return n.ofList(start)
	case map[string]any:
		if v == nil {
			return &Node{id: n.next(), kind: isObject}
		}
		start := len(n.entries)
		for key, member := range v {
			entry := Entry{n.ofText(key), n.Of(member)}
			n.entries = append(n.entries, entry)
		}
		object, _ := n.ofObject(start)
		return object
	}
	return &Node{id: n.next(), kind: isScalar, scalar: value}
}

func (n *Nodes) next() uint32 {
	n.last++
	return n.last
}

// ofText returns the node of a text, with a copy of it: it may be part of a document, which must not be kept for it.
func (n *Nodes) ofText(text string) *Node {
	if known, ok := n.texts[text]; ok {
		return known
	}
	if n.texts == nil {
		n.texts = map[string]*Node{}
	}
	text = strings.Clone(text)
	node := &Node{id: n.next(), text: text}
	n.texts[text] = node
	return node
}

// ofScalar returns the node of a bool, an int64 or a float64.
func (n *Nodes) ofScalar(scalar any) *Node {
	n.key = n.key[:0]
	switch v := scalar.(type) {
	case bool:
		n.key = append(n.key, 'b', 0)
		if v {
			n.key[1] = 1
		}
	case int64:
		n.key = binary.AppendVarint(append(n.key, 'i'), v)
	case float64:
		n.key = binary.AppendUvarint(append(n.key, 'f'), math.Float64bits(v))
	}
	if known, ok := n.others[string(n.key)]; ok {
		return known
	}
	return n.keep(Node{kind: isScalar, scalar: scalar})
}

// ofList returns the list of the entries from start on, which it takes away.
func (n *Nodes) ofList(start int) *Node {
	entries := n.entries[start:]
	n.entries = n.entries[:start]
	n.key = append(n.key[:0], 'l')
	for _, e := range entries {
		n.key = binary.AppendUvarint(n.key, e.Value.identity())
	}
	if known, ok := n.others[string(n.key)]; ok {
		return known
	}
	return n.keep(Node{kind: isList, entries: append(make([]Entry, 0, len(entries)), entries...)})
}

// ofObject is ofList for an object; false if a key is there twice.
func (n *Nodes) ofObject(start int) (*Node, bool) {
	entries := n.entries[start:]
	n.entries = n.entries[:start]
	slices.SortFunc(entries, func(a, b Entry) int { return cmp.Compare(a.key.id, b.key.id) })
	n.key = append(n.key[:0], 'o')
	for _, e := range entries {
		n.key = binary.AppendUvarint(n.key, e.key.identity())
		n.key = binary.AppendUvarint(n.key, e.Value.identity())
	}
	if known, ok := n.others[string(n.key)]; ok {
		return known, true
	}
	for i := range entries {
		if i > 0 && entries[i].key == entries[i-1].key {
			return nil, false
		}
	}
	return n.keep(Node{kind: isObject, entries: append(make([]Entry, 0, len(entries)), entries...)}), true
}

// identity is another for each node, 0 for null.
func (n *Node) identity() uint64 {
	if n == nil {
		return 0
	}
	return uint64(n.id)
}

// keep keeps a new node under the key that was written.
func (n *Nodes) keep(node Node) *Node {
	if n.others == nil {
		n.others = map[string]*Node{}
	}
	node.id = n.next()
	kept := new(Node)
	*kept = node
	n.others[string(n.key)] = kept
	return kept
}
