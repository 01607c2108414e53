package normalize

import (
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// stepKind is the part of a schema by which a walk went down.
type stepKind uint8

const (
	toProperty   stepKind = iota // a declared property
	toAdditional                 // another key of an object
	toItem                       // an item of a list
	toBareItem                   // an item of a list for which the schema says nothing
)

// step is one step of the way from the root, e.g. of spec.list[0].name. A way
// is a list linked upwards. Its steps live on the walk's stack, and it is
// rendered only for a change or an error. A rendered way must hold a copy of a
// step's key and not the key itself. Otherwise the compiler would move every
// step to the heap.
type step struct {
	parent *step
	key    string
	index  int
	kind   stepKind
}

// objectPath renders the way as pruning does (PRN-021): no key is quoted.
func (s *step) objectPath() string {
	var text [usualPath]byte
	return string(s.appendObject(text[:0]))
}

// usualPath is a length that most paths do not exceed.
const usualPath = 128

func (s *step) appendObject(b []byte) []byte {
	if s == nil {
		return b
	}
	b = s.parent.appendObject(b)
	if s.kind == toItem || s.kind == toBareItem {
		return appendIndex(b, s.index)
	}
	if s.parent != nil {
		b = append(b, '.')
	}
	return append(b, s.key...)
}

// fieldPath renders the way as a field path, where keys of additionalProperties
// are in brackets (META-005); nil at the root.
func (s *step) fieldPath() *field.Path {
	if s == nil {
		return nil
	}
	up := s.parent.fieldPath()
	switch s.kind {
	case toItem, toBareItem:
		return up.Index(s.index)
	case toAdditional:
		return up.Key(strings.Clone(s.key))
	default:
		return up.Child(strings.Clone(s.key))
	}
}

// schemaPath renders the way through the schema, as far as there is one.
func (s *step) schemaPath() string {
	var text [usualPath]byte
	return string(s.appendSchema(text[:0]))
}

func (s *step) appendSchema(b []byte) []byte {
	if s == nil {
		return append(b, "openAPIV3Schema"...)
	}
	b = s.parent.appendSchema(b)
	switch s.kind {
	case toItem:
		return append(b, ".items"...)
	case toBareItem:
		return b
	case toAdditional:
		return append(b, ".additionalProperties"...)
	default:
		b = append(b, ".properties["...)
		b = append(b, s.key...)
		return append(b, ']')
	}
}

func appendIndex(b []byte, i int) []byte {
	b = append(b, '[')
	b = strconv.AppendInt(b, int64(i), 10)
	return append(b, ']')
}

// precedes reports whether a field path comes before another one: in byte
// order, but the items of a list by their index.
func precedes(a, b string) bool {
	common := 0
	for common < len(a) && common < len(b) && a[common] == b[common] {
		common++
	}
	index := strings.LastIndexByte(a[:common], '[') + 1
	if index > 0 && digits(a[index:common]) == common-index {
		if m, n := digits(a[index:]), digits(b[index:]); m != n {
			return m < n
		}
	}
	return a < b
}

// digits returns the number of digits at the start of a string.
func digits(text string) int {
	n := 0
	for n < len(text) && '0' <= text[n] && text[n] <= '9' {
		n++
	}
	return n
}
