package normalize

import (
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/structural"
)

// Twin is an object before and after steps that were done to it without an error; the zero value is none. Both are only read.
type Twin struct{ Before, After map[string]any }

// Outcome is what comes of an object.
type Outcome struct {
	// Object is as from Copy; it may share with the twin, too.
	Object map[string]any
	// Changes are as from Copy, but for the values that the twin has too.
	Changes []Change
	// LikeTwin tells that Object is equal to the twin's After in all but metadata. What is equal is not always found to be.
	LikeTwin bool
	// Unlike is, where not LikeTwin, a field in which the two may differ.
	Unlike string
}

// CopyUnchecked is Copy for an object that may hold any Go value, in one walk. Where it is the root of a resource (ResourceRoot), its apiVersion,
// kind and metadata were looked at already (metadata.NormalRoot). What is equal in a twin, to which the same steps were done by the same schema,
// is not walked again: CoerceMetadata and RepairMetadata count as the same, for what passes the former is the same to both. The error is Copy's
// *field.Error; if a value is of no JSON kind or nested too deep it is that of unstructured.Check.
func CopyUnchecked(object map[string]any, twin Twin, schema *structural.Schema, steps Steps) (Outcome, error) {
	w := walk{steps: steps, unchecked: unchecked{checking: true, twin: twin}}
	out := w.root(object, schema).(map[string]any)
	if w.foreign {
		return Outcome{}, jsonvalue.Check(object)
	}
	changes, err := w.finish()
	if err != nil {
		return Outcome{}, err
	}
	same := twin.Before != nil && !w.differs && contentSize(object) == contentSize(twin.Before)
	return Outcome{out, changes, same, w.unlike}, nil
}

func contentSize(object map[string]any) int {
	if _, ok := object["metadata"]; ok {
		return len(object) - 1
	}
	return len(object)
}

// unchecked is what a walk over an unchecked object knows besides.
type unchecked struct {
	checking bool
	foreign  bool // there is a value that no JSON has, or nested too deep
	depth    int  // of the object or list that is being walked
	twin     Twin
	differs  bool   // a field of the root, not metadata, is not found equal in the twin
	unlike   string // such a field
}

// look looks at a value below the current object or list that is not walked.
func (w *walk) look(value any) {
	if w.checking && !jsonvalue.IsPlain(value, w.depth+1) {
		w.foreign = true
	}
}

// enter goes down to an object or list of so many entries, unless they are nested too deep. Leaving it is w.depth--.
func (w *walk) enter(entries int) bool {
	if w.checking && entries > 0 && w.depth+1 >= jsonvalue.MaxDepth {
		w.foreign = true
		return false
	}
	w.depth++
	return true
}

// lookedMetaField is metaField for a value that is looked at as a whole first.
func (w *walk) lookedMetaField(e *edit, key string, n node, parent *step) {
	checking := w.checking
	w.look(e.fields[key])
	if w.foreign {
		return
	}
	w.checking = false
	w.metaField(e, key, n, parent)
	w.checking = checking
}

// exemptField is field for apiVersion, kind or metadata of a resource; those of the root were looked at before.
func (w *walk) exemptField(e *edit, key string, value any, f fieldOf, parent *step) {
	checking := w.checking
	w.checking = checking && parent != nil
	w.field(e, key, value, f, parent)
	w.checking = checking
}

// beside takes over from the twin what became of a field, if the twin has the same. It goes one level down where not all is the same: further down
// comparing could cost more than it saves. It reports false if the field has to be walked.
func (w *walk) beside(e *edit, key string, value any, n node, twin Twin) bool {
	if key == "metadata" && n.exempt && w.depth == 0 {
		return false // there is next to nothing to do
	}
	before, ok := twin.Before[key]
	if ok && jsonvalue.EqualChecked(value, before) {
		after, kept := twin.After[key]
		switch {
		case !kept:
			delete(e.write(), key)
		case !jsonvalue.Identical(before, after):
			e.write()[key] = after
		}
		return true
	}
	if w.depth > 0 {
		return false
	}
	if key != "metadata" {
		w.differs, w.unlike = true, key
	}
	below := Twin{}
	below.Before, _ = before.(map[string]any)
	below.After, _ = twin.After[key].(map[string]any)
	object, isObject := value.(map[string]any)
	child, kind, known := n.child(key)
	if !isObject || !known || isMeta(key) || below.Before == nil || below.After == nil || w.idle(child, fieldOf{pruning: n.pruning}.below()) {
		return false
	}
	place := step{key: key, kind: kind}
	if out, changed := w.boxed(object, child, fieldOf{pruning: n.pruning}.below(), &place, below); changed {
		e.write()[key] = out
	}
	return true
}
