package normalize

import (
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/structural"
)

// Steps is a set of steps.
type Steps uint16

// The steps.
const (
	// Prune removes what the schema does not specify.
	Prune Steps = 1 << iota
	// ResourceRoot makes Prune take the object for a resource: its apiVersion, kind and metadata are left alone.
	ResourceRoot
	// DropNulls removes nulls from fields that are not nullable and have no default.
	DropNulls
	// CoerceMetadata reads and writes back the metadata of embedded resources; a malformed one is an error.
	CoerceMetadata
	// RepairMetadata is CoerceMetadata that removes what is malformed instead.
	RepairMetadata
	// CoerceRoot makes the two take the object itself for an embedded resource.
	CoerceRoot
	// Default fills in defaults.
	Default

	coerce = CoerceMetadata | RepairMetadata
)

// InPlace does the steps to a value, changing it, and tells what was changed, ordered by step and path. Its error is an
// embedded resource's under CoerceMetadata; the value may be changed in part then. Nothing to do costs no allocation.
func InPlace(value any, schema *structural.Schema, steps Steps) ([]Change, *field.Error) {
	if object, ok := value.(map[string]any); ok && object == nil {
		return nil, nil // nothing can be written to it
	}
	w := walk{steps: steps, inPlace: true}
	w.root(value, schema)
	return w.finish()
}

// Copy does the steps to an object without changing it: the outcome shares with the object whatever is the same in both, and is
// the object itself if all is. Otherwise it is InPlace.
func Copy(object map[string]any, schema *structural.Schema, steps Steps) (map[string]any, []Change, *field.Error) {
	w := walk{steps: steps}
	out := w.root(object, schema).(map[string]any)
	changes, err := w.finish()
	return out, changes, err
}

// walk is one walk over a value.
type walk struct {
	steps   Steps
	inPlace bool
	changes []Change
	err     *field.Error
	unchecked
}

// pruning says what the walk removes at a place.
type pruning uint8

const (
	normal pruning = iota // what the schema does not specify; without a schema, everything
	skip                  // nothing here, normal again below known fields
	leave                 // nothing at all
)

func (w *walk) root(value any, schema *structural.Schema) any {
	mode := leave
	if w.steps&Prune != 0 {
		mode = normal
	}
	switch v := value.(type) {
	case map[string]any:
		return w.rootObject(v, schema, mode)
	case []any:
		out, _ := w.value(v, schema, mode, nil)
		return out
	default:
		return value
	}
}

func (w *walk) rootObject(object map[string]any, schema *structural.Schema, mode pruning) map[string]any {
	n := node{schema: schema, pruning: mode, exempt: schema.EmbeddedResource(), coerced: schema.EmbeddedResource()}
	if w.steps&ResourceRoot != 0 {
		n.exempt = true
	}
	if w.steps&CoerceRoot != 0 {
		n.coerced = true
	}
	if schema.PreservesUnknownFields() && mode == normal {
		n.pruning = skip
	}
	out, _ := w.object(object, n, nil, w.twin)
	return out
}

func (w *walk) finish() ([]Change, *field.Error) {
	if w.err != nil {
		return nil, w.err
	}
	sortChanges(w.changes)
	return w.changes, nil
}

func (w *walk) record(action Action, path, schema string) {
	w.changes = append(w.changes, Change{Action: action, Path: path, Schema: schema})
}

// fail keeps the error whose path is first.
func (w *walk) fail(err *field.Error) {
	if w.err == nil || precedes(err.Field, w.err.Field) {
		w.err = err
	}
}

// node is a place of the schema together with what holds there.
type node struct {
	schema  *structural.Schema // nil where there is none
	pruning pruning
	exempt  bool // apiVersion, kind and metadata are not pruned
	coerced bool // they are read and written back
}

// value walks what is at a place below the root. It reports whether the outcome is another value.
func (w *walk) value(value any, schema *structural.Schema, mode pruning, at *step) (any, bool) {
	switch v := value.(type) {
	case string, bool, int64, nil:
		return value, false
	case map[string]any:
		if w.idle(schema, mode) {
			w.look(value)
			return value, false
		}
		return w.boxed(v, schema, mode, at, Twin{})
	case []any:
		if w.idle(schema, mode) {
			w.look(value)
			return value, false
		}
		return w.list(v, schema, mode, at)
	default:
		w.look(value)
		return value, false
	}
}

// boxed is object for a place below the root.
func (w *walk) boxed(object map[string]any, schema *structural.Schema, mode pruning, at *step, twin Twin) (any, bool) {
	if mode == normal && schema.PreservesUnknownFields() {
		mode = skip
	}
	embedded := schema.EmbeddedResource()
	if !w.enter(len(object)) {
		return nil, false
	}
	out, changed := w.object(object, node{schema: schema, pruning: mode, exempt: embedded, coerced: embedded}, at, twin)
	w.depth--
	if !changed {
		return nil, false
	}
	return out, true
}

// idle tells whether there is nothing to do at and below a place, whatever the value.
func (w *walk) idle(schema *structural.Schema, mode pruning) bool {
	if mode == normal {
		return false
	}
	if schema == nil {
		return true
	}
	return mode == leave && (w.steps&DropNulls == 0 || schema.IsLeaf()) &&
		(w.steps&Default == 0 || !schema.HasDefaults()) &&
		(w.steps&coerce == 0 || !schema.HasEmbeddedResources())
}

// object walks the fields of an object. It reports whether the outcome is another map.
func (w *walk) object(object map[string]any, n node, at *step, twin Twin) (map[string]any, bool) {
	e := edit{fields: object, own: w.inPlace}
	for key, value := range object {
		if w.foreign {
			break // what comes of the walk does not matter any more
		}
		if twin.Before != nil && w.beside(&e, key, value, n, twin) {
			continue
		}
		child, kind, known := n.child(key)
		switch {
		case n.coerced && w.steps&coerce != 0 && isMeta(key):
			w.lookedMetaField(&e, key, n, at)
		case n.exempt && isMeta(key):
			w.exemptField(&e, key, value, fieldOf{child, kind, leave}, at)
		case known:
			w.field(&e, key, value, fieldOf{child, kind, n.pruning}, at)
		case n.pruning == normal:
			w.look(value)
			w.prune(&e, key, n, at)
		default:
			w.look(value)
		}
	}
	if w.steps&Default != 0 && n.schema != nil {
		w.absent(&e, n.schema, at)
	}
	return e.fields, e.fresh || !w.inPlace && e.own
}

// child is the schema below a key, and whether the schema knows the key at all: a boolean additionalProperties knows every key
// and has no schema for it.
func (n node) child(key string) (schema *structural.Schema, kind stepKind, known bool) {
	if s := n.schema.Property(key); s != nil {
		return s, toProperty, true
	}
	if additional := n.schema.AdditionalProperties(); additional != nil {
		return additional.Schema, toAdditional, true
	}
	return nil, toProperty, false
}

// fieldOf is what holds for a field that stays.
type fieldOf struct {
	schema  *structural.Schema
	kind    stepKind
	pruning pruning // of the object that holds it; leave for an exempt field
}

func (f fieldOf) below() pruning {
	if f.pruning == leave {
		return leave
	}
	return normal // pruning restarts below a known field (PRN-014)
}

// field handles a field that stays: its null is dropped or defaulted, or its value is walked.
func (w *walk) field(e *edit, key string, value any, f fieldOf, parent *step) {
	at := step{parent: parent, key: key, kind: f.kind}
	if value == nil {
		w.null(e, key, f.schema, &at)
		return
	}
	if out, changed := w.value(value, f.schema, f.below(), &at); changed {
		e.write()[key] = out
	}
}

// null drops a null or replaces it by its default (DEF-003, DEF-007, DEF-030).
func (w *walk) null(e *edit, key string, schema *structural.Schema, at *step) {
	if schema == nil || schema.Nullable() {
		return
	}
	switch {
	case schema.Default() != nil && w.steps&Default != 0:
		e.write()[key] = w.defaultOf(schema, at)
	case schema.Default() == nil && w.steps&DropNulls != 0:
		delete(e.write(), key)
		w.record(NullDropped, at.objectPath(), at.schemaPath())
	}
}

// prune removes an unknown key. At the top of a value that is no resource the server does not tell of the three meta
// fields (PRN-020).
func (w *walk) prune(e *edit, key string, n node, at *step) {
	delete(e.write(), key)
	if at == nil && n.schema != nil && isMeta(key) {
		return
	}
	below := step{parent: at, key: key}
	w.record(Pruned, below.objectPath(), at.schemaPath())
}

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

// defaultOf is a copy of a node's default, completed by the defaults below it (DEF-005, DEF-013).
func (w *walk) defaultOf(schema *structural.Schema, at *step) any {
	w.record(Defaulted, at.objectPath(), at.schemaPath())
	value := jsonvalue.DeepCopy(schema.Default())
	inner := walk{steps: Default, inPlace: true, changes: w.changes}
	inner.value(value, schema, leave, at)
	w.changes = inner.changes
	return value
}

// list walks the items of a list. It reports whether the outcome is another list.
func (w *walk) list(list []any, schema *structural.Schema, mode pruning, at *step) (any, bool) {
	if mode == normal && schema.PreservesUnknownFields() {
		mode = skip
	}
	items := schema.Items()
	if w.idle(items, mode) && !w.defaults(items) {
		w.look(list)
		return nil, false
	}
	if !w.enter(len(list)) {
		return nil, false
	}
	out := list
	own := w.inPlace
	for i, item := range list {
		if w.foreign {
			break
		}
		if value, changed := w.item(item, i, items, mode, at); changed {
			if !own {
				out, own = slices.Clone(list), true
			}
			out[i] = value
		}
	}
	w.depth--
	if w.inPlace || !own {
		return nil, false
	}
	return out, true
}

func (w *walk) item(item any, i int, items *structural.Schema, mode pruning, parent *step) (any, bool) {
	at := step{parent: parent, index: i, kind: toItem}
	if items == nil {
		at.kind = toBareItem
	}
	if item != nil {
		return w.value(item, items, mode, &at)
	}
	if !w.defaults(items) {
		return nil, false
	}
	return w.defaultOf(items, &at), true
}

// defaults tells whether a null item gets a default (DEF-009).
func (w *walk) defaults(items *structural.Schema) bool {
	return w.steps&Default != 0 && items.Default() != nil && !items.Nullable()
}

// edit is an object that may have to change: the first write copies it unless it is owned.
type edit struct {
	fields map[string]any
	own    bool
	fresh  bool // made where there was a nil map, which nothing can be written to
}

func (e *edit) write() map[string]any {
	if e.fields == nil {
		e.fields, e.own, e.fresh = map[string]any{}, true, true
	}
	if !e.own {
		e.fields, e.own = maps.Clone(e.fields), true
	}
	return e.fields
}

func isMeta(key string) bool {
	return key == "apiVersion" || key == "kind" || key == "metadata"
}
