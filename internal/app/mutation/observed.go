package mutation

import (
	"context"
	"slices"
	"sync"

	"github.com/crdsem/crdsem/internal/app/spine"
	"github.com/crdsem/crdsem/internal/kit/parallel"
	"github.com/crdsem/crdsem/kit/crdtest"
)

// observed is what the cases do without a change.
type observed struct {
	jobs    []*crdtest.Job
	passed  []bool           // as stated, by job
	visited []map[place]bool // the nodes that a job has values of

	mu    sync.Mutex
	trees map[place]*spine.Node // by version
}

// place is a node of a definition's version, or the version if it has no path.
// A definition that several suites read is the same one.
type place struct{ crd, version, path string }

func placeOf(crd *crdtest.CRD, version, path string) place {
	return place{crd.Document().String(), version, path}
}

// observe runs jobs once, as long as the context does not end.
func observe(ctx context.Context, jobs []*crdtest.Job) *observed {
	o := &observed{
		jobs: jobs, passed: make([]bool, len(jobs)), visited: make([]map[place]bool, len(jobs)),
		trees: map[place]*spine.Node{},
	}
	_ = parallel.Each(ctx, len(jobs), func(i int) {
		o.visited[i] = map[place]bool{}
		r := jobs[i].Run(ctx, func(x *crdtest.Exchange) { o.visit(ctx, x, o.visited[i]) })
		o.passed[i] = r.Err == nil && r.Skipped == ""
	})
	return o
}

// visit records the nodes that a request has values of.
func (o *observed) visit(ctx context.Context, x *crdtest.Exchange, visited map[place]bool) {
	if x.Result.Object == nil {
		return
	}
	at := placeOf(x.CRD, x.Version.Name(), "")
	o.mu.Lock()
	root := o.trees[at]
	if root == nil {
		root, _ = spine.Of(x.CRD, at.version)
		o.trees[at] = root
	}
	o.mu.Unlock()
	root.Walk(ctx, x, func(n *spine.Node, _ any, _ bool) {
		at.path = n.Path
		visited[at] = true
	})
}

// has reports whether an object was sent to a version.
func (o *observed) has(crd *crdtest.CRD, version string) bool {
	return o.trees[placeOf(crd, version, "")] != nil
}

// visits reports whether a job has values of a node.
func (o *observed) visits(i int, crd *crdtest.CRD, version, path string) bool {
	return o.visited[i][placeOf(crd, version, path)]
}

// visitsAny reports whether a job sent an object to one of the versions.
func (o *observed) visitsAny(i int, crd *crdtest.CRD, versions []string) bool {
	return slices.ContainsFunc(versions, func(version string) bool {
		return o.visits(i, crd, version, spine.Root)
	})
}

// definitions returns the definitions of all jobs, each once.
func (o *observed) definitions() []*crdtest.CRD {
	var all []*crdtest.CRD
	known := map[*crdtest.CRD]bool{}
	for _, j := range o.jobs {
		for _, crd := range j.CRDs() {
			if !known[crd] {
				known[crd] = true
				all = append(all, crd)
			}
		}
	}
	return all
}
