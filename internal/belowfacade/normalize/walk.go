package normalize

import (
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/structural"
)

// The walk goes down an object and its schema together, once, and does all of
// its steps on the way. Each step is in a file of its own:
//
//	prune.go      unknown fields are removed
//	nulls.go      nulls are removed, or replaced by defaults
//	metadata.go   the metadata of embedded resources is coerced
//	defaults.go   defaults are filled in
//	integers.go   whole numbers become integers
//	check.go      values that are not JSON are found (CopyUnchecked only)
//
// Functions come in pairs. A function of walk that takes a value, e.g. value,
// list and item, returns what replaces it and whether that is another value. A
// function that takes an edit, e.g. field, null and prune, changes one field of
// the object that is being edited.
//
// What holds at a place is passed down by value: the schema node (nil where the
// schema says nothing), the duty and the way from the root. A walk itself only
// collects: changes, the error, and how deep it is. It never changes what it
// does. Where other steps hold, another duty is passed down, or another walk
// starts (in a copy of a default).

// Steps is a set of steps.
type Steps uint16

// The steps.
const (
	// Prune removes what the schema does not specify.
	Prune Steps = 1 << iota
	// ResourceRoot makes Prune treat the object as a resource: its apiVersion,
	// kind and metadata are left alone.
	ResourceRoot
	// DropNulls removes nulls from fields that are not nullable and have no
	// default.
	DropNulls
	// CoerceMetadata reads and writes back the metadata of embedded resources.
	// Malformed metadata is an error.
	CoerceMetadata
	// RepairMetadata is like CoerceMetadata, but removes what is malformed.
	RepairMetadata
	// CoerceRoot makes these two treat the object itself as an embedded
	// resource.
	CoerceRoot
	// Default fills in defaults.
	Default
	// Integers makes a float64 without a fraction an int64 where the schema
	// says integer, in an object that a program made and did not decode.
	Integers

	coerce = CoerceMetadata | RepairMetadata
)

// InPlace does the steps to a value, which it changes. It returns the changes,
// ordered by step and path. The error is about an embedded resource and comes
// with CoerceMetadata only; the value may then be changed in part. If there is
// nothing to do, nothing is allocated.
func InPlace(value any, schema *structural.Schema, steps Steps) (Changes, *field.Error) {
	if object, ok := value.(map[string]any); ok && object == nil {
		return Changes{}, nil // nothing can be written to it
	}
	w := walk{inPlace: true, room: Unlimited}
	w.root(value, schema, steps)
	return w.finish()
}

// walk is one walk over a value.
type walk struct {
	trail
	inPlace bool
	err     *field.Error
	failed  int  // the place of err
	foreign bool // a value is not JSON, or nested too deep; see check.go
	depth   int  // the depth of the object or list that is being walked
	room    Room // what defaults may still take; below 0 the walk ends
}

// ended reports whether the result is not needed any more.
func (w *walk) ended() bool { return w.room < 0 }

// duty is what the walk does at a place and below it.
type duty struct {
	steps   Steps
	pruning pruning
	checked bool // the values were checked before, or need not be
}

// only returns the duty with some of its steps. Values that a field has after
// its first step were checked in the first.
func (d duty) only(steps Steps) duty {
	return duty{steps: d.steps & steps, pruning: leave, checked: true}
}

func (w *walk) root(value any, schema *structural.Schema, steps Steps) any {
	return w.rootOf(value, schema, duty{steps: steps, pruning: pruningAt(steps), checked: true})
}

func (w *walk) rootOf(value any, schema *structural.Schema, d duty) any {
	if d.checked && d.steps&CoerceRoot == 0 && d.idle(schema) {
		return value
	}
	switch v := value.(type) {
	case map[string]any:
		n := nodeOf(schema, d)
		n.exempt = n.exempt || d.steps&ResourceRoot != 0
		n.coerced = n.coerced || d.steps&CoerceRoot != 0
		out, _ := w.object(v, n, nil)
		return out
	case []any:
		out, _ := w.value(v, schema, d, nil)
		return out
	default:
		return value
	}
}

func (w *walk) finish() (Changes, *field.Error) {
	if w.err != nil {
		return Changes{}, w.err
	}
	if len(w.marks) == 0 {
		return Changes{}, nil
	}
	return w.changes(ChangesMemory), nil
}

// record records a change of a place. schema is where the schema demands it.
func (w *walk) record(action structural.Action, as style, at, schema int) *mark {
	w.marks = append(w.marks, mark{action: action, style: as, at: at, schema: schema})
	return &w.marks[len(w.marks)-1]
}

// fails reports whether an error at a place is the first one by path, so that
// it is to be kept.
func (w *walk) fails(at *step) bool {
	place := w.keep(at)
	if w.err != nil && !w.precedes(place, w.failed) {
		return false
	}
	w.failed = place
	return true
}

// node is an object's schema node with what holds for the fields of the object.
type node struct {
	schema *structural.Schema // nil if there is no schema
	duty
	exempt  bool // apiVersion, kind and metadata are not pruned
	coerced bool // they are read and written back
}

func nodeOf(schema *structural.Schema, d duty) node {
	embedded := schema.EmbeddedResource()
	d.pruning = d.pruning.within(schema)
	return node{schema: schema, duty: d, exempt: embedded, coerced: embedded}
}

// child returns the schema below a key, and whether the schema knows the key at
// all: a boolean additionalProperties knows every key and has no schema for it.
func (n *node) child(key string) (schema *structural.Schema, kind stepKind, known bool) {
	if s := n.schema.Property(key); s != nil {
		return s, toProperty, true
	}
	if additional := n.schema.AdditionalProperties(); additional != nil {
		return additional.Schema, toAdditional, true
	}
	return nil, toProperty, false
}

// value walks a value below the root.
func (w *walk) value(value any, schema *structural.Schema, d duty, at *step) (any, bool) {
	switch v := value.(type) {
	case string:
		w.checkText(v, d)
		return value, false
	case bool, int64, nil:
		return value, false
	case float64:
		if i, ok := integer(v, schema); ok && d.steps&Integers != 0 {
			return i, true
		}
	case map[string]any:
		if !d.idle(schema) {
			return w.objectValue(v, schema, d, at)
		}
	case []any:
		if !d.idle(schema) {
			return w.list(v, schema, d, at)
		}
	}
	w.check(value, d)
	return value, false
}

// idle reports whether there is nothing to do at and below a place, whatever
// the value.
func (d duty) idle(schema *structural.Schema) bool {
	if d.pruning == normal {
		return false
	}
	if schema == nil {
		return true
	}
	return d.pruning == leave && d.steps&Integers == 0 &&
		(d.steps&DropNulls == 0 || schema.IsLeaf()) &&
		(d.steps&Default == 0 || !schema.HasDefaults()) &&
		(d.steps&coerce == 0 || !schema.HasEmbeddedResources())
}

// objectValue is object for a place below the root.
func (w *walk) objectValue(
	object map[string]any, schema *structural.Schema, d duty, at *step,
) (any, bool) {
	if !w.enter(len(object), d) {
		return nil, false
	}
	out, changed := w.object(object, nodeOf(schema, d), at)
	w.depth--
	if !changed {
		return nil, false
	}
	return out, true
}

// object walks the fields of an object.
func (w *walk) object(object map[string]any, n node, at *step) (map[string]any, bool) {
	e := edit{fields: object, own: w.inPlace}
	switch fields := len(object); {
	case !n.isDense(fields):
		w.fields(&e, object, &n, at)
	case w.declared(&e, object, &n, at) < fields:
		w.undeclared(&e, object, &n, at)
	}
	if n.steps&Default != 0 && n.schema != nil {
		w.absent(&e, n.schema, at)
	}
	return e.fields, e.fresh || !w.inPlace && e.own
}

// isDense reports whether an object with so many fields is walked by the
// properties of its schema: for small objects, which are the most, some vain
// lookups take less time than an iteration over a map.
func (n *node) isDense(fields int) bool {
	return len(n.schema.PropertyNames()) <= 2*fields && !n.exempt && !n.coerced
}

// declared walks the fields that are declared properties. It returns their
// number.
func (w *walk) declared(e *edit, object map[string]any, n *node, at *step) (found int) {
	below := n.below()
	for i, name := range n.schema.PropertyNames() {
		value, ok := object[name]
		if !ok {
			continue
		}
		if w.ended() {
			break
		}
		found++
		w.field(e, name, value, fieldOf{n.schema.PropertyAt(i), toProperty, below}, at)
	}
	return found
}

// undeclared walks the fields that are not declared properties.
func (w *walk) undeclared(e *edit, object map[string]any, n *node, at *step) {
	for key, value := range object {
		if w.ended() {
			break
		}
		if n.schema.Property(key) == nil {
			w.objectField(e, key, value, n, at)
		}
	}
}

// fields walks all fields.
func (w *walk) fields(e *edit, object map[string]any, n *node, at *step) {
	for key, value := range object {
		if w.ended() {
			break
		}
		w.objectField(e, key, value, n, at)
	}
}

// objectField walks one field of an object.
func (w *walk) objectField(e *edit, key string, value any, n *node, at *step) {
	child, kind, known := n.child(key)
	if child == nil || kind != toProperty {
		w.checkText(key, n.duty) // names of properties were checked with their schema
	}
	switch {
	case n.coerced && n.steps&coerce != 0 && isMeta(key):
		w.coerceField(e, key, value, n, at)
	case n.exempt && isMeta(key):
		w.field(e, key, value, fieldOf{child, kind, n.exemptDuty(at)}, at)
	case known:
		w.field(e, key, value, fieldOf{child, kind, n.below()}, at)
	case n.pruning == normal:
		w.check(value, n.duty)
		w.prune(e, key, n, at)
	default:
		w.check(value, n.duty)
	}
}

// exemptDuty returns the duty of apiVersion, kind and metadata. Those of the
// root were checked before the walk.
func (n *node) exemptDuty(at *step) duty {
	return duty{steps: n.steps, pruning: leave, checked: n.checked || at == nil}
}

// fieldOf is what holds for a field that stays.
type fieldOf struct {
	schema *structural.Schema
	kind   stepKind
	duty   duty
}

// field walks a field that stays: its null is removed or defaulted, or its
// value is walked.
func (w *walk) field(e *edit, key string, value any, f fieldOf, parent *step) {
	at := step{parent: parent, key: key, kind: f.kind}
	if value == nil {
		w.null(e, key, &f, &at)
		return
	}
	if out, changed := w.value(value, f.schema, f.duty, &at); changed {
		e.write()[key] = out
	}
}

// list walks the items of a list.
func (w *walk) list(list []any, schema *structural.Schema, d duty, at *step) (any, bool) {
	d.pruning = d.pruning.within(schema)
	items := schema.Items()
	if d.idle(items) && !d.defaultsNull(items) {
		w.check(list, d)
		return nil, false
	}
	if !w.enter(len(list), d) {
		return nil, false
	}
	out, own := list, w.inPlace
	for i, item := range list {
		if w.ended() {
			break
		}
		if value, changed := w.item(item, i, items, d, at); changed {
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

func (w *walk) item(item any, i int, items *structural.Schema, d duty, parent *step) (any, bool) {
	at := step{parent: parent, index: i, kind: toItem}
	if items == nil {
		at.kind = toBareItem
	}
	if item != nil {
		return w.value(item, items, d, &at)
	}
	if !d.defaultsNull(items) {
		return nil, false
	}
	return w.defaultOf(items, &at), true
}

// edit is an object that may have to change. The first write copies it unless
// it is owned.
type edit struct {
	fields map[string]any
	own    bool
	fresh  bool // made in place of a nil map, which cannot be written to
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

// isMeta reports whether a key is one of the three that every resource has.
func isMeta(key string) bool {
	return key == "apiVersion" || key == "kind" || key == "metadata"
}
