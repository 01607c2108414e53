package crd

import (
	"cmp"
	"slices"
	"strings"

	"github.com/crdsem/crdsem/internal/base/intern"
)

// node is a part of a document: a scalar, a list or an object. Equal parts of a
// document are the same node, so that a reader can process each part once. A
// nil node is null. Nodes are immutable.
type node struct {
	id      uint32
	kind    nodeKind
	text    string
	scalar  any
	entries []entry
}

type nodeKind uint8

const (
	isText nodeKind = iota
	isScalar
	isList
	isObject
)

// entry is a member of an object, or an item of a list. An item has no key.
type entry struct {
	key   *node
	Value *node
}

// compare orders members by the IDs of their keys.
func (e entry) compare(other entry) int { return cmp.Compare(e.key.id, other.key.id) }

// Key returns the key of a member.
func (e entry) Key() string { return e.key.text }

// Text returns the string that a node is. It reports false if the node is not a
// string.
func (n *node) Text() (string, bool) {
	if n == nil || n.kind != isText {
		return "", false
	}
	return n.text, true
}

// Scalar returns a bool, an int64 or a float64, or a value that JSON does not
// have. It returns nil if the node is something else.
func (n *node) Scalar() any {
	if n == nil {
		return nil
	}
	if n.isNegativeZero() {
		return int64(0)
	}
	return n.scalar
}

// negativeZero is the scalar of a number that JSON spells -0: an integer, which
// is negative only where the API has a float64.
type negativeZero struct{}

func (n *node) isNegativeZero() bool {
	return n != nil && n.scalar == negativeZero{}
}

// Members returns the members of an object, each key once, in no particular
// order. They must not be changed. The members of an object that was a nil map
// are nil. It reports false if the node is not an object.
func (n *node) Members() ([]entry, bool) {
	if n == nil || n.kind != isObject {
		return nil, false
	}
	return n.entries, true
}

// Items returns the items of a list, which must not be changed. It reports
// false if the node is not a list.
func (n *node) Items() ([]entry, bool) {
	if n == nil || n.kind != isList {
		return nil, false
	}
	return n.entries, true
}

// Value returns a new value with the content of the node.
func (n *node) Value() any {
	switch {
	case n == nil:
		return nil
	case n.kind == isText:
		return n.text
	case n.kind == isScalar:
		return n.Scalar()
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

// nodeBuilder makes the nodes of a document. The zero value is ready to use. It
// is not safe for concurrent use.
//
// A node is found by its content: strings by their text, all others by a key
// that has the kind and, in a container, the IDs of its entries. Equal
// contents have equal keys because their parts are nodes of the same builder.
type nodeBuilder struct {
	texts   map[string]*node
	others  map[string]*node // by key
	last    uint32
	key     intern.Key // of the node that is looked up
	entries []entry    // a stack: those of the nodes that are being made
}

// Of returns the node of a value, which is neither changed nor kept. A value of
// a Go type that JSON does not have is a scalar.
func (b *nodeBuilder) Of(value any) *node {
	switch v := value.(type) {
	case nil:
		return nil
	case string:
		return b.text(v)
	case bool, int64, float64:
		return b.scalar(v)
	case []any:
		if v == nil {
			return &node{id: b.next(), kind: isList}
		}
		start := len(b.entries)
		for _, item := range v {
			b.entries = append(b.entries, entry{Value: b.Of(item)})
		}
		return b.container(isList, start)
	case map[string]any:
		if v == nil {
			return &node{id: b.next(), kind: isObject}
		}
		start := len(b.entries)
		for key, member := range v {
			b.entries = append(b.entries, entry{b.text(key), b.Of(member)})
		}
		slices.SortStableFunc(b.entries[start:], entry.compare)
		return b.container(isObject, start)
	}
	return &node{id: b.next(), kind: isScalar, scalar: value}
}

func (b *nodeBuilder) next() uint32 {
	b.last++
	return b.last
}

// text returns the node of a string. It copies a new string, so that the node
// does not keep the whole document alive.
func (b *nodeBuilder) text(text string) *node {
	if known, ok := b.texts[text]; ok {
		return known
	}
	if b.texts == nil {
		b.texts = map[string]*node{}
	}
	text = strings.Clone(text)
	n := &node{id: b.next(), text: text}
	b.texts[text] = n
	return n
}

// scalar returns the node of a bool, an int64 or a float64.
func (b *nodeBuilder) scalar(scalar any) *node {
	b.key = b.key[:0]
	b.key.Value(scalar)
	if known, ok := b.others[string(b.key)]; ok {
		return known
	}
	return b.keep(node{kind: isScalar, scalar: scalar})
}

// container takes away the entries from start on and returns the node that has
// them.
func (b *nodeBuilder) container(kind nodeKind, start int) *node {
	entries := b.entries[start:]
	b.entries = b.entries[:start]
	b.key = append(b.key[:0], 'c', byte(kind))
	for _, e := range entries {
		b.key.Uint(e.key.identity())
		b.key.Uint(e.Value.identity())
	}
	if known, ok := b.others[string(b.key)]; ok {
		return known
	}
	return b.keep(node{kind: kind, entries: append(make([]entry, 0, len(entries)), entries...)})
}

// identity returns a number that differs for each node. It is 0 for null.
func (n *node) identity() uint64 {
	if n == nil {
		return 0
	}
	return uint64(n.id)
}

// keep gives a new node an ID and stores it under b.key.
func (b *nodeBuilder) keep(n node) *node {
	if b.others == nil {
		b.others = map[string]*node{}
	}
	n.id = b.next()
	b.others[string(b.key)] = &n
	return &n
}
