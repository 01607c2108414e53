package normalize

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/metadata"
	"github.com/crdsem/crdsem/structural"
)

// metaField handles apiVersion, kind or metadata of a resource whose metadata is coerced: first the nulls in it, then itself, then
// the defaults in it.
func (w *walk) metaField(e *edit, key string, n node, parent *step) {
	child, kind, _ := n.child(key)
	at := step{parent: parent, key: key, kind: kind}
	w.only(DropNulls, e, key, fieldOf{child, kind, leave}, parent)
	value, present := e.fields[key]
	if !present {
		return
	}
	if key == "metadata" {
		w.metadata(e, value, child, &at)
	} else if _, ok := value.(string); !ok {
		w.notString(e, key, parent)
	}
	if _, present := e.fields[key]; present {
		w.only(Default, e, key, fieldOf{child, kind, leave}, parent)
	}
}

// only does one step to a field.
func (w *walk) only(step Steps, e *edit, key string, f fieldOf, parent *step) {
	all := w.steps
	if w.steps &= step; w.steps != 0 {
		w.field(e, key, e.fields[key], f, parent)
	}
	w.steps = all
}

// notString handles an apiVersion or kind that is no string (META-004).
func (w *walk) notString(e *edit, key string, resource *step) {
	path := resource.fieldPath().Child(key)
	if w.steps&RepairMetadata == 0 {
		w.fail(field.Invalid(path, e.fields[key], "must be a string"))
		return
	}
	delete(e.write(), key)
	w.record(MetadataCoerced, path.String(), resource.schemaPath())
}

// metadata reads a metadata and writes it back (META-005 to META-008). The server then goes on below the value that was there before:
// embedded resources in it are still checked, to no effect on the object unless the metadata was left as it is.
func (w *walk) metadata(e *edit, value any, schema *structural.Schema, at *step) {
	mode := metadata.Strict
	if w.steps&RepairMetadata != 0 {
		mode = metadata.Drop
	}
	coerced, err := metadata.Coerce(value, mode)
	switch {
	case err != nil && mode == metadata.Strict:
		w.fail(field.Invalid(at.parent.fieldPath().Child("metadata"), value, err.Error()))
		return
	case err == nil && coerced.Changed:
		w.replaceMetadata(e, coerced, at.parent)
	}
	if !schema.HasEmbeddedResources() {
		return
	}
	inner := walk{steps: w.steps & coerce, changes: w.changes, err: w.err}
	out, changed := inner.value(value, schema, leave, at)
	w.changes, w.err = inner.changes, inner.err
	if changed && err != nil {
		e.write()["metadata"] = out
	}
}

func (w *walk) replaceMetadata(e *edit, coerced metadata.Coerced, resource *step) {
	e.write()["metadata"] = coerced.Metadata
	path, schema := resource.fieldPath().Child("metadata").String(), resource.schemaPath()
	w.record(MetadataCoerced, path, schema)
	for _, unknown := range coerced.Unknown {
		w.record(MetadataPruned, path+"."+unknown, schema)
	}
}
