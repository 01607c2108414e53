package judge

import (
	"context"
	"errors"
	"fmt"

	"github.com/crdsem/crdsem/internal/app/verdict"
	"github.com/crdsem/crdsem/kit/advice"
	"github.com/crdsem/crdsem/kit/builtin"
	"github.com/crdsem/crdsem/kit/manifest"
)

// BuiltInKinds selects what happens to objects of kinds that are built into
// Kubernetes.
type BuiltInKinds uint8

// The choices.
const (
	// CountBuiltIn does not judge them.
	CountBuiltIn BuiltInKinds = iota
	// ByStructure judges them by the structure that Kubernetes publishes.
	ByStructure
)

// sendBuiltIn judges an object of a kind that is built into Kubernetes by its
// structure, see package builtin. It reports false for any other object, and
// for one of a kind whose structure is not known.
func (j *Judge) sendBuiltIn(
	ctx context.Context,
	r *verdict.Result,
	doc *manifest.Document,
	object map[string]any,
	strict []*manifest.Error,
) bool {
	d, unknown := j.definitionOf(object)
	if d != nil || r.APIVersion == "" || r.Kind == "" {
		return false
	}
	kind, err := j.published[manifest.TypeOf(object)], error(nil)
	switch {
	case kind != nil:
	case j.BuiltIn != ByStructure:
		return false
	default:
		kind, err = builtin.Find(manifest.TypeOf(object), j.Kubernetes)
	}
	if missing, ok := errors.AsType[*builtin.NotServedError](err); ok {
		if missing.Lifecycle == nil || unknown.ServedBy(j.minor()) {
			return false
		}
		r.Verdict = verdict.Refused
		f := &Finder{Document: doc}
		finding := f.at(verdict.Error, doc.Find("apiVersion").Value, missing.Error())
		finding.Hint = missing.Hint()
		r.Findings = append(r.Findings, finding)
		return true
	}
	r.ByStructure, r.Request, r.Version = true, "create", kind.Version
	f := newFinder(ctx, doc, &advice.Object{
		Schema: kind.Schema(), Object: object,
		Source: func(path string) (string, bool) { return doc.Find(path).Plain() },
	})
	found := kind.Validate(ctx, object)
	if text := kind.Deprecation(); text != "" {
		r.Findings = append(r.Findings,
			f.at(verdict.Warning, doc.Find("apiVersion").Value, text))
	}
	var objections []string
	for _, path := range found.Unknown {
		objections = append(objections, fmt.Sprintf("unknown field %q", path))
	}
	j.strictFindings(r, f, objections, nil)
	j.warnOfDuplicates(r, doc, strict)
	if len(found.Errors) > 0 {
		r.Verdict, r.Errors = verdict.Refused, found.Errors
		r.Findings = append(r.Findings, f.Errors(verdict.Error, found.Errors)...)
	}
	return true
}

// AddOpenAPI makes the kinds of an OpenAPI v3 document known: their objects are
// judged by structure, unless there is a definition of their kind. It returns
// how many kinds there are.
func (p *Panel) AddOpenAPI(document map[string]any) (kinds int, err error) {
	for _, j := range p.judges {
		found, err := builtin.FromOpenAPI(document, j.Kubernetes)
		if err != nil {
			return 0, err
		}
		if j.published == nil {
			j.published = map[manifest.Type]*builtin.Kind{}
		}
		for _, kind := range found {
			j.published[kind.Type] = kind
		}
		kinds = len(found)
	}
	return kinds, nil
}
