package celrules

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/belowfacade/correlate"
)

// Ratcheting: an update is not rejected for a value that it does not change. A
// rule that fails on an unchanged value is a warning, unless it is a
// transition rule. For example, an object with `spec.replicas: -1` that was
// stored before the rule `self.replicas >= 0` existed can still be labelled.

type correlation = correlate.Correlation

// fail records a failure of the rule: as an error, or as ratcheted.
func (e *evaluation) fail(err *field.Error) {
	if !e.program.UsesOldSelf && e.frame.unchanged() {
		e.keep(&e.result.Ratcheted, err)
		return
	}
	e.keep(&e.result.Errors, err)
}

// unchanged reports whether the value, or else the nearest correlatable value
// above it, is the same as before the update.
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

// ratchet returns the correlation of the value itself and the nearest one above
// it (CEL-111). Either is nil if it does not exist.
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
		// Conversion changes them, therefore they never count as unchanged
		// (CEL-114).
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
