package reproduce

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/definition/validate"
	"github.com/crdsem/crdsem/internal/base/typemeta"
	"github.com/crdsem/crdsem/minors"
	"github.com/crdsem/crdsem/structural"
)

// Question is what a server is asked: whether it accepts a definition or, if
// there is an object, an object of it.
type Question struct {
	Definition map[string]any
	Object     map[string]any
	Old        map[string]any // of an update, the stored object
}

// Answer is what a server of one minor says.
type Answer struct {
	// Err is the reason why there is no verdict on the object, e.g. a
	// definition that does not decode.
	Err error
	// Definition has the errors of the definition. If it has any, the object is
	// not judged.
	Definition field.ErrorList
	// Errors are the errors of the object, and Refusal is the text of a request
	// that is refused before validation.
	Errors  field.ErrorList
	Refusal string
	// Stored is an object that is accepted, as it is stored.
	Stored map[string]any
}

// Text returns the answer, a line for each error.
func (a *Answer) Text() string {
	if a.Err != nil {
		return a.Err.Error()
	}
	var lines []string
	for _, err := range a.Definition {
		lines = append(lines, "definition: "+withRule(err))
	}
	for _, err := range a.Errors {
		lines = append(lines, withRule(err))
	}
	if a.Refusal != "" && len(lines) == 0 {
		lines = append(lines, a.Refusal)
	}
	if len(lines) == 0 {
		return "accepted"
	}
	return strings.Join(lines, "\n")
}

// findings returns the errors of fields.
func (a *Answer) findings() field.ErrorList { return slices.Concat(a.Definition, a.Errors) }

// has reports whether an answer has a finding, whatever its value is.
func (a *Answer) has(finding *field.Error) bool {
	return slices.ContainsFunc(a.findings(), func(e *field.Error) bool {
		return e.Type == finding.Type && e.Field == finding.Field && e.Detail == finding.Detail
	})
}

// hasNothingBut reports whether another answer has all findings.
func (a *Answer) hasNothingBut(other *Answer) bool {
	return !slices.ContainsFunc(a.findings(), func(e *field.Error) bool { return !other.has(e) })
}

// isSame reports whether another answer says the same.
func (a *Answer) isSame(other *Answer) bool { return a.Text() == other.Text() }

func withRule(err *field.Error) string {
	if err.Origin == "" {
		return err.Error()
	}
	return err.Error() + " (" + err.Origin + ")"
}

// Ask says what the server of a minor answers.
func (q *Question) Ask(ctx context.Context, minor minors.Minor) (a Answer) {
	text, err := json.Marshal(q.Definition)
	if err != nil {
		return Answer{Err: err}
	}
	kubernetes := structural.Kubernetes(minor)
	crd, _, err := definition.Parse(text, kubernetes)
	if err != nil {
		return Answer{Err: err}
	}
	found := validate.Create(ctx, crd.ForCreate(), kubernetes)
	a.Err, a.Definition = found.Err, found.Errors
	if a.Err != nil || len(a.Definition) > 0 || q.Object == nil {
		return a
	}
	def, err := crdsem.Parse(text, crdsem.Kubernetes(minor))
	if err != nil {
		return Answer{Err: err}
	}
	q.askObject(ctx, def, &a)
	return a
}

func (q *Question) askObject(ctx context.Context, def *crdsem.Definition, a *Answer) {
	version, err := def.Version(typemeta.Of(q.Object).Version)
	if err != nil {
		a.Err = err
		return
	}
	result := version.Do(ctx, crdsem.Request{Object: q.Object, Old: q.Old, Decoded: true})
	a.Errors = result.Errors
	switch err := result.Err(); {
	case err == nil:
		a.Stored = version.Write(ctx, result.Object).Stored.Object
	case len(a.Errors) > 0:
	case result.Stage == crdsem.StageDecode && ctx.Err() != nil:
		a.Err = err
	default:
		a.Refusal = err.Error()
	}
}
