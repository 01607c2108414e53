package crdtest

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/kit/manifest"
)

// Job is one case with the definitions that it is run with. It can be run
// several times, also at the same time.
type Job struct {
	suite  *Suite
	c      *Case
	server *server
	// name names the suite, the definition if the suite has several, and the
	// minor if the suite names minors.
	name  string
	minor string // empty if the suite names none
	// err is why the job is not run: the case is skipped, or the suite cannot
	// be run. Then the job has no case of the suite.
	err error
}

// Case returns the case.
func (j *Job) Case() *Case { return j.c }

// CRDs returns the definitions that the case is run with.
func (j *Job) CRDs() []*CRD {
	if j.server == nil {
		return nil
	}
	return j.server.crds
}

// Exchange is a request of a case with its result. It is only valid for a
// definition without the patches of a step.
type Exchange struct {
	// CRD and Version are what the request was sent to.
	CRD     *CRD
	Version *crdsem.Version
	Verb    Verb
	// Old is the object before the request, as read in the version; nil for a
	// create.
	Old    map[string]any
	Result *crdsem.Result
}

// Run runs the case and returns its result. watch is called after each request
// that has an object, unless the step patches the definition. It may be nil.
func (j *Job) Run(ctx context.Context, watch func(*Exchange)) Result {
	start := time.Now()
	err := j.play(ctx, watch)
	r := Result{
		Suite: j.name, Case: j.c.Name, Kubernetes: j.minor,
		File: j.suite.fileOf(j.c), Line: j.c.Line, Err: err, Took: time.Since(start),
	}
	if r.Skipped = whySkipped(err); r.Skipped != "" {
		r.Err = nil
	}
	if w, ok := errors.AsType[warning](err); ok {
		r.Err, r.Warning = nil, w.error
	}
	return r
}

// play runs the case. The error is that of a case that is not as stated, or not
// run.
func (j *Job) play(ctx context.Context, watch func(*Exchange)) error {
	if j.err != nil {
		return j.err
	}
	p := play{server: j.server, suite: j.suite, watch: watch}
	return p.run(ctx, j.c)
}

// Stores reports whether the case begins with a stored object of a definition.
func (j *Job) Stores(crd *CRD) bool {
	return slices.Contains(j.CRDs(), crd) &&
		manifest.TypeOf(j.c.Stored).GroupKind == crd.groupKind()
}

// Replace returns jobs with one definition replaced by another, e.g. one that
// [CRD.With] returned. Definitions are compiled when a job first needs them.
func Replace(jobs []*Job, crd, by *CRD) []*Job {
	servers := map[*server]*server{}
	out := make([]*Job, len(jobs))
	for i, j := range jobs {
		changed := *j
		if j.server != nil {
			if servers[j.server] == nil {
				servers[j.server] = j.server.replaced(crd, by)
			}
			changed.server = servers[j.server]
		}
		out[i] = &changed
	}
	return out
}
