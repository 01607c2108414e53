package normalize

import "github.com/crdsem/crdsem/structural"

// null removes a null or replaces it by its default (DEF-003, DEF-007,
// DEF-030).
func (w *walk) null(e *edit, key string, f *fieldOf, at *step) {
	schema := f.schema
	if schema == nil || schema.Nullable() {
		return
	}
	switch {
	case schema.Default() != nil && f.duty.steps&Default != 0:
		e.write()[key] = w.defaultOf(schema, at)
	case schema.Default() == nil && f.duty.steps&DropNulls != 0:
		delete(e.write(), key)
		place := w.keep(at)
		w.record(structural.NullDropped, byPruning, place, place)
	}
}
