package normalize

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/belowstructural/metadata"
	"github.com/crdsem/crdsem/structural"
)

// coerceField walks apiVersion, kind or metadata of a resource whose metadata
// is coerced, in the order of the server: nulls in the field are removed, the
// field is coerced, and defaults in it are filled in.
func (w *walk) coerceField(e *edit, key string, value any, n *node, parent *step) {
	if w.check(value, n.duty); w.foreign {
		return
	}
	child, kind, _ := n.child(key)
	if drop := n.only(DropNulls); drop.steps != 0 {
		w.field(e, key, value, fieldOf{child, kind, drop}, parent)
	}
	if value, present := e.fields[key]; present {
		w.coerceValue(e, key, value, n, &step{parent: parent, key: key, kind: kind})
	}
	value, present := e.fields[key]
	if fill := n.only(Default); present && fill.steps != 0 {
		w.field(e, key, value, fieldOf{child, kind, fill}, parent)
	}
}

// coerceValue coerces the value of apiVersion, kind or metadata.
func (w *walk) coerceValue(e *edit, key string, value any, n *node, at *step) {
	if key == "metadata" {
		w.metadata(e, value, n, at)
	} else if _, ok := value.(string); !ok {
		w.notString(e, key, n, at.parent)
	}
}

// notString removes or rejects an apiVersion or kind that is not a string
// (META-004).
func (w *walk) notString(e *edit, key string, n *node, resource *step) {
	at := step{parent: resource, key: key}
	if n.steps&RepairMetadata != 0 {
		delete(e.write(), key)
		place := w.keep(&at)
		w.record(structural.MetadataCoerced, byField, place, w.keep(resource))
	} else if w.fails(&at) {
		err := field.Invalid(at.fieldPath(), e.fields[key], "must be a string")
		w.err = err.WithOrigin("META-004")
	}
}

// metadata reads a metadata and writes it back (META-005 to META-008). The
// server then goes on below the value that was there before: embedded resources
// in it are still checked, with no effect on the object unless the metadata was
// left as it is.
func (w *walk) metadata(e *edit, value any, n *node, at *step) {
	mode := metadata.Strict
	if n.steps&RepairMetadata != 0 {
		mode = metadata.Drop
	}
	coerced, err := metadata.Coerce(value, mode)
	switch {
	case err != nil && mode == metadata.Strict:
		if own := (step{parent: at.parent, key: "metadata"}); w.fails(&own) {
			w.err = field.Invalid(own.fieldPath(), value, err.Error()).WithOrigin("META-006")
		}
		return
	case err == nil && coerced.Changed:
		w.replaceMetadata(e, coerced, at.parent)
	}
	schema, _, _ := n.child("metadata")
	if !schema.HasEmbeddedResources() {
		return
	}
	inner := walk{trail: w.trail, err: w.err, failed: w.failed}
	out, changed := inner.value(value, schema, n.only(coerce), at)
	w.trail, w.err, w.failed = inner.trail, inner.err, inner.failed
	if changed && err != nil {
		e.write()["metadata"] = out
	}
}

func (w *walk) replaceMetadata(e *edit, coerced metadata.Coerced, resource *step) {
	e.write()["metadata"] = coerced.Metadata
	schema := w.keep(resource)
	place := w.below(schema, step{key: "metadata"})
	w.record(structural.MetadataCoerced, byField, place, schema)
	for _, unknown := range coerced.Unknown {
		at := w.below(place, step{key: unknown, kind: toUnknown})
		w.record(structural.MetadataPruned, byField, at, schema)
	}
}
