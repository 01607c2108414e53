package crdtest

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/definition/validate"
	"github.com/crdsem/crdsem/internal/base/schemapath"
	"github.com/crdsem/crdsem/internal/belowfacade/facadeoptions"
	"github.com/crdsem/crdsem/internal/kit/parallel"
	"github.com/crdsem/crdsem/minors"
	"github.com/crdsem/crdsem/structural"
)

// withDefinitions returns jobs with one more for each definition that they need
// and that a server refuses. It is before the first job that needs the
// definition, and fails with the errors of the server. They are a warning for a
// definition that a server has stored.
func withDefinitions(ctx context.Context, jobs []*Job) []*Job {
	checks := checksOf(jobs)
	refusals := make([]error, len(checks))
	// If the context ends, no job is run: its error does not matter.
	_ = parallel.Each(ctx, len(checks), func(i int) {
		refusals[i] = checks[i].crd.refusal(ctx, checks[i].minor)
	})
	for i, check := range slices.Backward(checks) {
		if refusals[i] != nil {
			jobs = slices.Insert(jobs, check.before, check.job(jobs, refusals[i]))
		}
	}
	return jobs
}

// definitionCheck is a definition to be validated for a minor. before is the
// index of the first job that needs it.
type definitionCheck struct {
	crd    *CRD
	minor  minors.Minor
	before int
}

// job returns the job that fails with a refusal.
func (d *definitionCheck) job(jobs []*Job, refusal error) *Job {
	j := *jobs[d.before]
	j.c = &Case{Name: d.crd.title(), File: d.crd.File, Line: d.crd.source.Start().Line}
	j.err = refusal
	return &j
}

// checksOf returns the definitions that jobs need, each once for each minor.
func checksOf(jobs []*Job) []definitionCheck {
	type key struct {
		place, name string
		minor       minors.Minor
	}
	var checks []definitionCheck
	known := map[key]bool{}
	for i := range jobs {
		if jobs[i].err != nil {
			continue
		}
		minor := jobs[i].server.minorOrNewest()
		for _, crd := range jobs[i].definitions() {
			if of := (key{crd.place(), crd.Name(), minor}); !known[of] {
				known[of] = true
				checks = append(checks, definitionCheck{crd, minor, i})
			}
		}
	}
	return checks
}

// definitions returns the definitions of the objects of a job.
func (j *Job) definitions() []*CRD {
	objects := []any{j.c.Stored}
	for i := range j.c.Steps {
		objects = append(objects, j.c.Steps[i].Object)
	}
	p := play{server: j.server}
	var all []*CRD
	for _, value := range objects {
		object, err := p.typed(value)
		if err != nil {
			continue // the job fails with it
		}
		if crd, err := j.server.kinds.Of(object); err == nil {
			all = append(all, crd)
		}
	}
	return all
}

// title names the definition as a case.
func (c *CRD) title() string { return "definition " + c.Name() }

// refusal returns the errors with which a server of a minor refuses to create
// the definition, with their places; nil if it accepts it. It is a warning if a
// server has stored the definition.
func (c *CRD) refusal(ctx context.Context, minor minors.Minor) error {
	crd, _, err := definition.FromMap(c.document, structural.Kubernetes(minor))
	if err != nil {
		return errorAt(c.source.LocateText(err.Error()), fmt.Errorf("refused: %w", err))
	}
	stored := crd.IsEstablished() || facadeoptions.Stored(c.Options)
	found := validate.Create(ctx, crd.ForCreate()).Errors
	var refusals []error
	for _, err := range found {
		located := *err
		located.Field = schemapath.V1(err.Field)
		refusals = append(refusals,
			errorAt(c.source.Locate(&located), fmt.Errorf("refused: %w", err)))
	}
	err = errors.Join(refusals...)
	if stored && err != nil {
		return warning{fmt.Errorf("a server has stored the definition: it is believed, but as a "+
			"new one it would be %w", err)}
	}
	return err
}

// warning is the error of a job that passes nevertheless.
type warning struct{ error }
