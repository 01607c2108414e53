package celrules

import (
	"github.com/crdsem/crdsem/internal/belowfacade/correlate"
)

// Transition rules refer to oldSelf, e.g. `self.replicas >= oldSelf.replicas`.
// Their old value is the value that correlates with the new one: that of the
// same field, of the same map key, or of the list-map item with the same keys.
// Items of other lists have no old value. Fields have no old value if the
// x-kubernetes-map-type of their object is unknown.

// skipsTransition reports whether the rule is a transition rule that does not
// run because there is no old value (CEL-100). A rule with optionalOldSelf
// runs.
func (e *evaluation) skipsTransition() bool {
	return e.program.UsesOldSelf && !e.vars.optional && e.frame.oldValue() == nil
}

// oldValue returns the correlated old value, nil if there is no such value
// (CEL-101).
func (f *frame) oldValue() any {
	if f.oldKnown {
		return f.old
	}
	f.oldKnown = true
	switch f.step {
	case byField, byKey:
		fields, ok := f.parent.oldValue().(map[string]any)
		if ok && correlate.ByName(f.parent.schema) {
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

// oldItem returns the old item that correlates with the new item at index i.
func (f *frame) oldItem(i int) any {
	if !f.itemsKnown {
		f.itemsKnown = true
		f.items = correlation{New: f.value, Old: f.oldValue(), Schema: f.schema}
	}
	item, ok := f.items.Item(i)
	if !ok {
		return nil
	}
	return item.Old
}

// isNil reports whether a value is null or a nil map or slice.
func isNil(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		return v == nil
	case []any:
		return v == nil
	}
	return v == nil
}
