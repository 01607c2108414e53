package differential

import (
	"context"
	"math/rand/v2"
	"runtime"
	"sync"

	"github.com/crdsem/crdsem/internal/test/suite"
	"github.com/crdsem/crdsem/kit/generate"
)

// Plan is what to compare.
type Plan struct {
	Pair    Pair
	Sources map[string]Source
	Ops     []string
	N       int // cases for each op
	Seed    uint64
	// Kubernetes is the minor that is asked for, or empty for the newest.
	Kubernetes string
	Known      suite.KnownDifferences
	// Most is the number of findings of an op after which no more are shrunk.
	Most int
}

// Counts is the number of cases of an op by verdict. Texts and Costs are those
// whose answers differ, but less deep than what counts.
type Counts struct {
	Cases, BothFault, RealPanics, Texts, Costs, Differing, Known int
}

// add counts a case.
func (c *Counts) add(v verdict) {
	c.Cases++
	switch v {
	case bothFault:
		c.BothFault++
	case realPanics:
		c.RealPanics++
	case otherTexts:
		c.Texts++
	case otherCosts:
		c.Costs++
	case differ:
		c.Differing++
	}
}

// Outcome is the outcome of an op.
type Outcome struct {
	Op       string
	Counts   Counts
	Findings []Finding // with different forms
}

// Run compares the handlers and returns an outcome for each op in the order of
// the plan. The same plan gives the same cases.
func Run(ctx context.Context, plan Plan) []Outcome {
	var outcomes []Outcome
	for _, op := range plan.Ops {
		r := &runner{plan: plan, op: op, forms: map[string]bool{}}
		for _, c := range []byte(op) {
			r.salt = r.salt*31 + uint64(c)<<40
		}
		r.outcome.Op = op
		r.run(ctx)
		outcomes = append(outcomes, r.outcome)
	}
	return outcomes
}

// runner compares the cases of one op.
type runner struct {
	plan Plan
	op   string
	salt uint64

	mu      sync.Mutex
	outcome Outcome
	forms   map[string]bool
}

func (r *runner) run(ctx context.Context) {
	next := make(chan uint64)
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for seed := range next {
				r.one(ctx, seed)
			}
		})
	}
	for i := range r.plan.N {
		if ctx.Err() != nil {
			break
		}
		next <- r.plan.Seed<<20 + r.salt + uint64(i)
	}
	close(next)
	workers.Wait()
}

// maxTries is how often a source may fail to make a case.
const maxTries = 50

func (r *runner) made(ctx context.Context, from *rand.Rand) (Case, bool) {
	for range maxTries {
		if c, ok := r.plan.Sources[r.op](ctx, from); ok {
			c.Kubernetes = r.plan.Kubernetes
			return c, true
		}
	}
	return Case{}, false
}

// one compares one case.
func (r *runner) one(ctx context.Context, seed uint64) {
	c, ok := r.made(ctx, generate.NewRand(seed))
	if !ok {
		return
	}
	v, difference := r.plan.Pair.compare(ctx, c)
	r.mu.Lock()
	r.outcome.Counts.add(v)
	fresh := v == differ && !r.forms[form(difference)] && len(r.outcome.Findings) < r.plan.Most
	if fresh {
		r.forms[form(difference)] = true
	}
	r.mu.Unlock()
	if v != differ {
		return
	}
	if why := r.plan.Known.Explain(difference); why != "" {
		r.mu.Lock()
		r.outcome.Counts.Known++
		r.mu.Unlock()
		return
	}
	if fresh {
		finding := r.plan.Pair.shrink(ctx, c, difference)
		r.mu.Lock()
		r.outcome.Findings = append(r.outcome.Findings, finding)
		r.mu.Unlock()
	}
}
