package catalog

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strings"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/definition/validate"
	"github.com/crdsem/crdsem/internal/base/typemeta"
	"github.com/crdsem/crdsem/kit/manifest"
)

// Severity is what a [Finding] means for the object.
type Severity string

// The severities.
const (
	// Refused: a server refuses the object, or it cannot be read.
	Refused Severity = "error"
	// Warned: a server accepts the object with a warning.
	Warned Severity = "warning"
	// Unjudged: nothing is known of the object, because the catalog has no
	// definition of its kind.
	Unjudged Severity = "not judged"
)

// Finding is one thing that [Catalog.Judge] has to say.
type Finding struct {
	// Object is what the finding is about. Its Document is nil for a file that
	// cannot be read.
	Object   manifest.Object
	Severity Severity
	// Position is the place in the file.
	Position manifest.Position
	// Finding has the rule and the field, if there are any. Its Error is nil if
	// the finding is not about a field: test it before Field is read.
	crdsem.Finding
	// Err is the reason: the field error, or what else there is, e.g. a
	// *manifest.UnknownKindError.
	Err error
}

// String returns the finding as one line, e.g. `app.yaml:7:3: error: spec.n:
// Required value (VAL-010)`.
func (f Finding) String() string {
	text := fmt.Sprintf("%s: %v", f.Severity, f.Err)
	if f.Position != (manifest.Position{}) {
		text = f.Position.String() + ": " + text
	}
	if f.Rule != "" {
		text += " (" + f.Rule + ")"
	}
	return text
}

// MarshalJSON writes the place, the severity, what the finding is about, and
// the members of [crdsem.Finding].
func (f Finding) MarshalJSON() ([]byte, error) {
	out := struct {
		File      string         `json:"file,omitempty"`
		Line      int            `json:"line,omitempty"`
		Column    int            `json:"column,omitempty"`
		Severity  Severity       `json:"severity"`
		Kind      string         `json:"kind,omitempty"`
		Namespace string         `json:"namespace,omitempty"`
		Name      string         `json:"name,omitempty"`
		Reason    string         `json:"reason,omitempty"`
		Message   string         `json:"message"`
		Field     string         `json:"field,omitempty"`
		Pointer   crdsem.Pointer `json:"pointer,omitempty"`
		Rule      string         `json:"rule,omitempty"`
	}{
		File: f.Position.File, Line: f.Position.Line, Column: f.Position.Column,
		Severity: f.Severity, Message: f.Finding.Message(), Pointer: f.Pointer, Rule: f.Rule,
	}
	if f.Error != nil {
		out.Reason, out.Field = string(f.Type), f.Field
	} else if f.Err != nil {
		out.Message = f.Err.Error()
	}
	if f.Object.Content != nil {
		out.Kind = manifest.TypeOf(f.Object.Content).GroupKind.String()
		out.Namespace, out.Name = typemeta.Name(f.Object.Content)
	}
	return json.Marshal(out)
}

// Judge adds the definitions in files and folders to the catalog, and judges
// all objects there: definitions as on create, or as stored if a cluster gave
// them, and objects of their kinds as on create with strict field validation,
// up to storage. It yields what a server refuses or warns of; nothing means
// that all is well, unless the context has ended, with which the findings end.
//
// A file that cannot be read is a finding too, and the next one follows.
func (c *Catalog) Judge(ctx context.Context, paths ...string) iter.Seq[Finding] {
	return func(yield func(Finding) bool) {
		j := judge{catalog: c, ctx: ctx, yield: yield}
		j.definitions(paths)
		j.objects(paths)
	}
}

// judge is one call of [Catalog.Judge].
type judge struct {
	catalog *Catalog
	ctx     context.Context //nolint:containedctx // of one call
	yield   func(Finding) bool
	ended   bool
}

func (j *judge) goesOn() bool { return !j.ended && j.ctx.Err() == nil }

// report yields a finding.
func (j *judge) report(f Finding) {
	if j.goesOn() && !j.yield(f) {
		j.ended = true
	}
}

// strictRule is the rule about unknown and duplicate fields.
const strictRule = "PIPE-006"

// fail reports an error of an object, with its rule if it is known.
func (j *judge) fail(o manifest.Object, severity Severity, err error, rule ...string) {
	f := Finding{
		Object: o, Severity: severity, Err: err,
		Finding: crdsem.Finding{Rule: strings.Join(rule, "")},
	}
	if placed, ok := errors.AsType[*manifest.Error](err); ok {
		f.Position, f.Err = placed.Position, placed.Err
	} else if o.Document != nil {
		f.Position = o.LocateText(err.Error())
	}
	j.report(f)
}

// find reports a finding about a field.
func (j *judge) find(o manifest.Object, severity Severity, found crdsem.Finding) {
	at := *found.Error
	// Before it is checked, the schema of all versions moves to the top.
	const top, first = "spec.validation.", "spec.versions[0].schema."
	if below, ok := strings.CutPrefix(at.Field, top); ok && manifest.IsDefinition(o.Content) {
		at.Field = first + below
	}
	j.report(Finding{
		Object: o, Severity: severity, Position: o.Locate(&at), Finding: found, Err: found.Error,
	})
}

// definitions adds the definitions and judges them.
func (j *judge) definitions(paths []string) {
	for o, err := range manifest.Objects(manifest.Find(paths, nil)) {
		if !j.goesOn() {
			return
		}
		if err == nil && manifest.IsDefinition(o.Content) {
			j.definition(o)
		}
	}
}

func (j *judge) definition(o manifest.Object) {
	crd, strict, err := definition.FromMap(o.Content, j.catalog.options...)
	if err != nil {
		j.fail(o, Refused, err)
		return
	}
	for _, err := range strict {
		j.fail(o, Refused, err, strictRule)
	}
	var found validate.Result
	if crd.IsEstablished() {
		found = validate.Stored(j.ctx, crd, j.catalog.options...)
	} else {
		found = validate.Create(j.ctx, crd.ForCreate(), j.catalog.options...)
	}
	for _, err := range found.Errors {
		j.find(o, Refused, crdsem.Finding{Rule: err.Origin, Error: err})
	}
	for _, err := range found.AsNew {
		j.find(o, Warned, crdsem.Finding{Rule: err.Origin, Error: err})
	}
	for _, text := range found.Warnings {
		j.fail(o, Warned, errors.New(text))
	}
	def, err := crdsem.Compile(crd, j.catalog.options...)
	if err != nil {
		j.fail(o, Refused, err)
		return
	}
	for _, twice := range j.catalog.Add(&Entry{Definition: def, CRD: crd, Document: o.Document}) {
		j.fail(o, Warned, twice)
	}
}

// objects judges the other objects.
func (j *judge) objects(paths []string) {
	for o, err := range manifest.Objects(manifest.Find(paths, nil)) {
		switch {
		case !j.goesOn():
			return
		case err != nil:
			j.fail(o, Refused, err)
		case !manifest.IsDefinition(o.Content):
			j.object(o)
		}
	}
}

func (j *judge) object(o manifest.Object) {
	for _, err := range o.Strict {
		j.fail(o, Refused, err, strictRule)
	}
	v, err := j.catalog.Version(o.Content)
	if err != nil {
		severity := Refused
		if _, ok := errors.AsType[*manifest.UnknownKindError](err); ok {
			severity = Unjudged
		}
		j.fail(o, severity, err)
		return
	}
	result := v.Do(j.ctx, crdsem.Request{
		Verb: crdsem.VerbCreate, Object: o.Content, Decoded: true,
		FieldValidation: crdsem.Strict,
	})
	findings := result.Findings()
	for _, found := range findings {
		j.find(o, Refused, found)
	}
	if err := result.Err(); err != nil && len(findings) == 0 {
		j.fail(o, Refused, err)
	}
	for _, text := range result.Warnings {
		j.fail(o, Warned, errors.New(text))
	}
	if result.Admitted() {
		j.stored(o, v, result.Object)
	}
}

// stored follows an admitted object to storage: it is refused if the conversion
// to the storage version fails, and warned of if that loses fields. Without a
// webhook, what one decides is not judged.
func (j *judge) stored(o manifest.Object, v *crdsem.Version, admitted map[string]any) {
	def := v.Definition()
	if storage := def.Model().StorageVersion(); storage != nil && storage.Name == v.Name() {
		return // it is stored as it is
	}
	stored := def.Store(j.ctx, admitted)
	switch err := stored.Err(); {
	case errors.Is(err, crdsem.ErrNoWebhook):
	case err != nil:
		j.fail(o, Refused, err, storageRule)
	}
	for _, path := range stored.Pruned {
		j.report(Finding{
			Object: o, Severity: Warned, Position: o.Find(path).Key,
			Finding: crdsem.Finding{Rule: storageRule},
			Err: fmt.Errorf("%s is not stored: the storage version does not have it",
				path),
		})
	}
}

// storageRule is the rule about writing an object to storage.
const storageRule = "PIPE-021"
