package normalize

import (
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/structural"
)

// absent adds the defaults of absent properties (DEF-002).
func (w *walk) absent(e *edit, schema *structural.Schema, at *step) {
	for _, name := range schema.DefaultedProperties() {
		if _, present := e.fields[name]; !present {
			w.insert(e, name, schema, at)
		}
	}
}

func (w *walk) insert(e *edit, name string, schema *structural.Schema, parent *step) {
	at := step{parent: parent, key: name}
	e.write()[name] = w.defaultOf(schema.Property(name), &at)
}

// defaultOf returns a copy of a node's default, completed by the defaults below
// it (DEF-005, DEF-013).
func (w *walk) defaultOf(schema *structural.Schema, at *step) any {
	w.record(Defaulted, at.objectPath(), at.schemaPath())
	value := jsonvalue.DeepCopy(schema.Default())
	inner := walk{inPlace: true, changes: w.changes}
	inner.value(value, schema, duty{steps: Default, pruning: leave, checked: true}, at)
	w.changes = inner.changes
	return value
}

// defaultsNull reports whether a null item gets a default (DEF-009).
func (d duty) defaultsNull(items *structural.Schema) bool {
	return d.steps&Default != 0 && items.Default() != nil && !items.Nullable()
}
