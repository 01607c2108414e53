package jsonpatch

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// node is a JSON value. A nil node is a null among the members of an object or
// the items of a list.
//
// A value starts as text. Method open turns an object or list into fields or
// items, one level deep; only values that a patch goes through are opened.
// Method encode writes opened nodes from their members and all others from
// their text.
type node struct {
	text   []byte   // as written; nil for a null that is the value of an operation
	kind   kind     // of the text
	found  []member // of an object or list, as it was read
	opened bool     // fields or items count, not text and found
	fields map[string]*node
	items  []*node
}

type kind uint8

const (
	scalar kind = iota
	object
	list
	copiedNull // behaves as an object that has no fields and takes none
)

type member struct {
	key   string // empty in a list
	value *node
}

// parse reads text that must be JSON, nested no deeper than the standard
// library reads. It returns nil for null.
func parse(text []byte) *node {
	r := reader{text: text}
	return r.value()
}

type reader struct {
	text []byte
	at   int
}

// next skips white space and returns the next byte.
func (r *reader) next() byte {
	for strings.IndexByte(" \t\r\n", r.text[r.at]) >= 0 {
		r.at++
	}
	return r.text[r.at]
}

func (r *reader) value() *node {
	c := r.next()
	start := r.at
	n := &node{}
	switch c {
	case '{':
		n.kind = object
		n.found = r.members('}')
	case '[':
		n.kind = list
		n.found = r.members(']')
	case '"':
		r.skipString()
	default:
		r.skipWord()
	}
	n.text = r.text[start:r.at]
	if c == 'n' {
		return nil
	}
	return n
}

// members reads the members of an object or the items of a list, up to the
// closing bracket.
func (r *reader) members(end byte) []member {
	var found []member
	for r.at++; r.next() != end; {
		var m member
		if end == '}' {
			m.key = r.key()
			r.next() // the colon
			r.at++
		}
		m.value = r.value()
		found = append(found, m)
		if r.next() == ',' {
			r.at++
		}
	}
	r.at++
	return found
}

func (r *reader) key() string {
	start := r.at
	r.skipString()
	quoted := r.text[start:r.at]
	plain := quoted[1 : len(quoted)-1]
	if bytes.IndexByte(plain, '\\') < 0 && utf8.Valid(plain) {
		return string(plain)
	}
	var key string
	_ = json.Unmarshal(quoted, &key) // cannot fail: it is a string
	return key
}

func (r *reader) skipString() {
	for r.at++; r.text[r.at] != '"'; r.at++ {
		if r.text[r.at] == '\\' {
			r.at++
		}
	}
	r.at++
}

func (r *reader) skipWord() {
	for r.at < len(r.text) && strings.IndexByte(",]} \t\r\n", r.text[r.at]) < 0 {
		r.at++
	}
}

// open opens an object or list: from then on its members count. Of duplicate
// members the last stays. It reports whether the node is an object or a list.
func (n *node) open() bool {
	if n.opened || n.kind == scalar {
		return n.opened
	}
	n.opened = true
	switch n.kind {
	case object:
		n.fields = make(map[string]*node, len(n.found))
		for _, m := range n.found {
			n.fields[m.key] = m.value
		}
	case list:
		n.items = make([]*node, len(n.found))
		for i, m := range n.found {
			n.items[i] = m.value
		}
	}
	return true
}

// maxDepth is how deep a document may be nested: one level more than the
// standard library encodes of the values of an object.
const maxDepth = 10001

// encode returns the text of a node without white space, escaped for HTML as
// the standard library does.
func (n *node) encode() ([]byte, error) {
	var plain, escaped bytes.Buffer
	n.appendTo(&plain)
	if depthOf(plain.Bytes()) > maxDepth {
		return nil, errDepth
	}
	json.HTMLEscape(&escaped, plain.Bytes())
	return escaped.Bytes(), nil
}

func (n *node) appendTo(out *bytes.Buffer) {
	switch {
	case n == nil || n.text == nil || n.kind == copiedNull:
		out.WriteString("null")
	case !n.opened:
		_ = json.Compact(out, n.text) // cannot fail: it is JSON
	case n.kind == object:
		out.WriteByte('{')
		for i, key := range slices.Sorted(maps.Keys(n.fields)) {
			if i > 0 {
				out.WriteByte(',')
			}
			quoted, _ := json.Marshal(key) // cannot fail
			out.Write(quoted)
			out.WriteByte(':')
			n.fields[key].appendTo(out)
		}
		out.WriteByte('}')
	default:
		out.WriteByte('[')
		for i, item := range n.items {
			if i > 0 {
				out.WriteByte(',')
			}
			item.appendTo(out)
		}
		out.WriteByte(']')
	}
}

// depthOf returns how deep JSON text is nested.
func depthOf(text []byte) int {
	depth, deepest := 0, 0
	for r := (reader{text: text}); r.at < len(text); r.at++ {
		switch text[r.at] {
		case '"':
			r.skipString()
			r.at--
		case '{', '[':
			depth++
			deepest = max(deepest, depth)
		case '}', ']':
			depth--
		}
	}
	return deepest
}
