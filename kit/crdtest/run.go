package crdtest

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/crdsem/crdsem/internal/kit/parallel"
)

// Run runs suites as subtests of t, all cases in parallel. A case fails with
// the place of the step, and the difference between what is stated and what the
// server does. A case about a kind without a definition is skipped, unless its
// suite has definitions of its own, and so is one that is for none of the
// minors that its suite is run with.
//
// A definition that a server refuses is a failed subtest of its own, unless a
// server has stored it: its status says that it is established, or one of its
// options is [crdsem.Stored].
//
// crds are the definitions for the suites that have no definitions of their
// own; see [Suite.CRDFiles].
func Run(t *testing.T, crds []*CRD, suites []*Suite) {
	t.Helper()
	jobs := withDefinitions(t.Context(), Jobs(crds, suites))
	for start := 0; start < len(jobs); {
		end := start
		for end < len(jobs) && jobs[end].name == jobs[start].name {
			end++
		}
		group := jobs[start:end]
		t.Run(group[0].name, func(t *testing.T) {
			t.Parallel()
			for _, j := range group {
				j.test(t)
			}
		})
		start = end
	}
}

// test runs a case as a subtest.
func (j *Job) test(t *testing.T) {
	t.Run(j.c.Name, func(t *testing.T) {
		t.Parallel()
		switch r := j.Run(t.Context(), nil); {
		case r.Skipped != "": // the user's suite has nothing to judge the case by
			t.Skip(r.Skipped)
		case r.Err != nil:
			t.Error(r.Err)
		case r.Warning != nil:
			t.Log(r.Warning)
		}
	})
}

// Result is the outcome of one case, or the refusal of a definition.
type Result struct {
	// Suite and Case name the case. Suite also names the definition if the
	// suite is run with several, and the minor if the suite names minors.
	Suite, Case string
	// Kubernetes is the minor of the server, if the suite names minors.
	Kubernetes string
	// File and Line are where the case or the definition is stated. They are
	// empty for a case that was made in Go.
	File string
	Line int
	// Err says where the outcome is not as stated: if the suite is in a file,
	// it is a *manifest.Error with the position of the step. It is nil if the
	// case passes.
	Err error
	// Skipped says why the case was not run, empty if it was.
	Skipped string
	// Warning says for what a server would refuse a definition that it has
	// stored. It is nil for a case, and the result counts as one that passes.
	Warning error
	// Took is the time that the case took.
	Took time.Duration
}

// Name names the case as go test does, e.g. "CronTab/replicas are bounded".
func (r *Result) Name() string { return r.Suite + "/" + r.Case }

// Execute runs suites and returns the result of each case, in the order of the
// suites; the skipped cases of a suite may come last. A definition that a
// server refuses is a result before the first case that needs it. Execute is
// Run for programs that are no tests. The error is that of the context.
func Execute(ctx context.Context, crds []*CRD, suites []*Suite) ([]Result, error) {
	jobs := withDefinitions(ctx, Jobs(crds, suites))
	results := make([]Result, len(jobs))
	err := parallel.Each(ctx, len(jobs), func(i int) { results[i] = jobs[i].Run(ctx, nil) })
	if err != nil {
		return nil, err
	}
	return results, nil
}

// whySkipped says why a case was not run, empty if it was.
func whySkipped(err error) string {
	if skip, ok := errors.AsType[skipped](err); ok {
		return skip.Error()
	}
	return ""
}
