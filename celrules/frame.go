package celrules

import (
	"strconv"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/structural"
)

// step is how a frame is reached from its parent.
type step uint8

const (
	atRoot step = iota
	byField
	byKey
	byIndex
	byAllOf // the same value
)

// frame is one value on the way from the root of the object to the rules.
//
// It holds what is known at once. The other fields are filled in when a
// failure or a transition rule needs them, so that a valid object costs
// nothing: the path, the correlated old value (transition.go) and whether the
// value is unchanged (ratcheting.go).
type frame struct {
	parent *frame
	step   step
	name   string // for byField and byKey
	index  int    // for byIndex and byAllOf
	schema *structural.Schema
	value  any

	oldKnown, itemsKnown bool
	old                  any         // the correlated old value, if any
	items                correlation // of the list's items with the old items

	ratchetKnown  bool
	current, near *correlation // nil if not correlatable
	sameKnown     bool
	same          bool
}

// path returns the path of the value below base, e.g. `spec.ports[0]`.
func (f *frame) path(base *field.Path) *field.Path {
	switch f.step {
	case byField:
		return f.parent.path(base).Child(f.name)
	case byKey:
		return f.parent.path(base).Key(f.name)
	case byIndex:
		return f.parent.path(base).Index(f.index)
	case byAllOf:
		return f.parent.path(base)
	}
	return base
}

// schemaPath returns the path of the schema node that holds the rules, e.g.
// `openAPIV3Schema.properties[spec]`.
func (f *frame) schemaPath() string {
	if f.parent == nil {
		return "openAPIV3Schema"
	}
	above := f.parent.schemaPath()
	switch f.step {
	case byField:
		return above + ".properties[" + f.name + "]"
	case byKey:
		return above + ".additionalProperties"
	case byIndex:
		return above + ".items"
	}
	return above + ".allOf[" + strconv.Itoa(f.index) + "]"
}
