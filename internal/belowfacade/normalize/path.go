package normalize

import (
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
	toUnknown                    // a field that object metadata does not have
)

// step is one step of the way from the root, e.g. of spec.list[0].name. A way
// is a list linked upwards. Its steps live on the walk's stack, and are kept in
// a trail only for a change or an error. What is kept must hold a copy of a
// step's key and not the key itself. Otherwise the compiler would move every
// step to the heap.
type step struct {
	parent *step
	key    string
	index  int
	kind   stepKind
	kept   int // its place in the trail, 0 if it is not kept
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
