package normalize

import (
	"math"

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
	if w.ended() {
		return nil
	}
	place := w.keep(at)
	change := w.record(structural.Defaulted, byPruning, place, place)
	w.room -= perChange + Room(w.size(*change)) + footprint(schema.Default())
	if w.ended() {
		return nil
	}
	value := jsonvalue.DeepCopy(schema.Default())
	change.value = value
	inner := walk{inPlace: true, trail: w.trail, room: w.room}
	inner.value(value, schema, duty{steps: Default, pruning: leave, checked: true}, at)
	w.trail, w.room = inner.trail, inner.room
	return value
}

// Room is the number of bytes that the defaults of an object may take: their
// values, and their changes with their paths. It is an estimate. Defaults
// within the items of defaults multiply: nine levels of lists of eight items
// are 100 million values, in 1 KB of a definition.
type Room int64

// Unlimited stands for no limit.
const Unlimited Room = math.MaxInt64

// What a change and its field take, and what values take at least.
const (
	perChange = 200
	perValue  = 32
	perObject = 48
	perGroup  = 264 // up to eight fields of a map
)

// footprint returns about how many bytes a copy of a value takes. Copies share
// the bytes of strings.
func footprint(value any) Room {
	size := Room(perValue)
	switch v := value.(type) {
	case []any:
		for _, item := range v {
			size += footprint(item)
		}
	case map[string]any:
		size += perObject + Room(len(v)+7)/8*perGroup
		for _, item := range v {
			size += footprint(item)
		}
	}
	return size
}

// defaultsNull reports whether a null item gets a default (DEF-009).
func (d duty) defaultsNull(items *structural.Schema) bool {
	return d.steps&Default != 0 && items.Default() != nil && !items.Nullable()
}
