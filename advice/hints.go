package advice

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/celrules"
	"github.com/crdsem/crdsem/structural"
)

// Object gives hints on the errors of one object. Every member may be absent;
// hints are then less specific.
type Object struct {
	// Schema is the schema of the version that validated the object.
	Schema *structural.Schema
	// Object is the object as the client sent it.
	Object map[string]any
	// Old is the stored object of an update.
	Old map[string]any
	// Explanations are the values that failed rules saw.
	Explanations []celrules.Explanation
	// Source returns the text of a value that is not in quotes, as the author
	// wrote it, e.g. 1.10 for the path spec.image. ok is false if there is no
	// such text.
	Source func(path string) (text string, ok bool)
}

// Hint returns a hint on an error, or "" if there is nothing to add to it. The
// error's Origin names its rule.
func (o *Object) Hint(err *field.Error) string {
	f := &finding{err: err, object: o, at: locate(o.Object, o.Schema, err.Field)}
	return f.hint()
}

// Definition gives hints on the errors of one definition.
type Definition struct {
	// Document is the definition as its author wrote it.
	Document map[string]any
	// Source is that of Object. Paths are those of errors.
	Source func(path string) (text string, ok bool)
}

// Hint returns a hint on an error, or "" if there is nothing to add to it. The
// error's Origin names its rule.
func (d *Definition) Hint(err *field.Error) string {
	f := &finding{err: err, definition: d, trail: follow(d.Document, err.Field)}
	f.at = f.placeInDefault()
	return f.hint()
}

// HasHint reports whether errors of a rule can have a hint.
func HasHint(rule string) bool {
	_, ok := table()[rule]
	return ok
}

// finding is an error and what is known about it. Either object or definition
// is nil.
type finding struct {
	err        *field.Error
	object     *Object
	definition *Definition

	at    place  // the value in question: in an object, or in a default
	trail []step // the way to the field in the document of a definition
}

// source returns the text of the value in question as its author wrote it.
func (f *finding) source() (text string, ok bool) {
	var source func(string) (string, bool)
	if f.object != nil {
		source = f.object.Source
	} else {
		source = f.definition.Source
	}
	if source == nil {
		return "", false
	}
	return source(f.err.Field)
}

// hint looks the rule up.
func (f *finding) hint() string {
	if hint, ok := table()[f.err.Origin]; ok {
		return hint.of(f)
	}
	return ""
}
