package advice

import (
	"context"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/celrules"
	"github.com/crdsem/crdsem/structural"
)

// Object gives hints on the errors of one object. Every member may be absent;
// hints are then less specific. All hints together take a bounded number of
// steps: if an object has very many errors, the last ones are less specific. An
// Object is for one goroutine at a time, and must not be copied after the first
// hint.
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

	effort effort
}

// Hint returns a hint on an error, or "" if there is nothing to add to it, or
// if the context has ended. The error's Origin names its rule.
func (o *Object) Hint(ctx context.Context, err *field.Error) string {
	f := o.about(ctx, err.Field)
	f.err = err
	if text, ok := f.at.value.(string); ok && f.ctx.Err() == nil {
		if hint := placeholder(text); hint != "" {
			return hint
		}
	}
	return f.hint()
}

// Definition gives hints on the errors of one definition. It is bounded as an
// [Object] is.
type Definition struct {
	// Document is the definition as its author wrote it.
	Document map[string]any
	// Source is that of Object. Paths are those of errors.
	Source func(path string) (text string, ok bool)

	effort effort
}

// Hint returns a hint on an error, or "" if there is nothing to add to it, or
// if the context has ended. The error's Origin names its rule.
func (d *Definition) Hint(ctx context.Context, err *field.Error) string {
	f := &finding{ctx: ctx, err: err, definition: d, effort: &d.effort}
	if f.spend(1 + len(err.Field)) {
		f.trail = follow(d.Document, err.Field)
		f.at = f.placeInDefault()
	}
	return f.hint()
}

// finding is an error and what is known about it.
type finding struct {
	ctx        context.Context
	effort     *effort
	err        *field.Error
	object     *Object     // nil for an error of a definition
	definition *Definition // empty for an error of an object

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
	if hint, ok := table()[f.err.Origin]; ok && f.ctx.Err() == nil {
		return hint(f)
	}
	return ""
}
