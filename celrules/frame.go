package celrules

import (
	"strconv"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/correlate"
	"github.com/crdsem/crdsem/structural"
)

type correlation = correlate.Correlation[*structural.Schema, structural.ListType]

// step is how a frame is reached from its parent.
type step uint8

const (
	atRoot step = iota
	byField
	byKey
	byIndex
	byAllOf // the same value
)

// frame is one value on the way from the root to where rules run. What only failures and transition rules need is worked out when
// they ask.
type frame struct {
	parent *frame
	step   step
	name   string
	index  int
	schema *structural.Schema
	value  any

	oldKnown, oldItems bool
	old                any         // the correlated old value
	items              correlation // of the list's items with the old ones

	ratchetKnown  bool
	current, near *correlation // nil: there is none
	sameKnown     bool
	same          bool
}

// path returns where the value stands below base.
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

// oldValue returns the correlated old value, nil if there is none (CEL-101).
func (f *frame) oldValue() any {
	if f.oldKnown {
		return f.old
	}
	f.oldKnown = true
	switch f.step {
	case byField, byKey:
		if fields, ok := f.parent.oldValue().(map[string]any); ok && keepsKeys(f.parent.schema) {
			f.old = fields[f.name]
		}
	case byIndex:
		f.old = f.parent.oldItem(f.index)
	case byAllOf:
		f.old = f.parent.oldValue()
	}
	if isNil(f.old) {
		f.old = nil
	}
	return f.old
}

func isNil(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		return v == nil
	case []any:
		return v == nil
	}
	return v == nil
}

// keepsKeys tells whether fields of old and new correspond by name.
func keepsKeys(s *structural.Schema) bool {
	return !s.HasMapType() || s.MapType() == structural.MapGranular || s.MapType() == structural.MapAtomic
}

func (f *frame) oldItem(i int) any {
	if !f.oldItems {
		f.oldItems = true
		f.items = correlation{New: f.value, Old: f.oldValue(), Schema: f.schema}
	}
	item, ok := f.items.Item(i)
	if !ok {
		return nil
	}
	return item.Old
}

// ratchet works out the correlation of the value itself, and the nearest one above it (CEL-111).
func (f *frame) ratchet() (current, near *correlation) {
	if f.ratchetKnown || f.parent == nil {
		return f.current, f.near
	}
	f.ratchetKnown = true
	above, aboveNear := f.parent.ratchet()
	switch {
	case f.step == byAllOf:
		f.near = aboveNear
	case above == nil:
		f.near = aboveNear
	case aboveNear == nil && f.step != byIndex && (f.name == "apiVersion" || f.name == "kind"):
		// conversion changes them: they are never unchanged (CEL-114)
	default:
		f.near = above
		f.current = f.correlate(above)
	}
	return f.current, f.near
}

func (f *frame) correlate(above *correlation) *correlation {
	var c correlation
	var ok bool
	if f.step == byIndex {
		c, ok = above.Item(f.index)
	} else {
		c, ok = above.Field(f.name)
	}
	if !ok {
		return nil
	}
	return &c
}

// unchanged tells whether a failure at the value is ratcheted.
func (f *frame) unchanged() bool {
	if f.sameKnown {
		return f.same
	}
	f.sameKnown = true
	current, near := f.ratchet()
	if current == nil {
		current = near
	}
	f.same = current != nil && current.Equal()
	return f.same
}

// schemaPath returns the place of the frame's rules below openAPIV3Schema.
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
