package celrules

import (
	"context"
	"sync"

	"github.com/crdsem/crdsem/celrules/internal/compilation"
	"github.com/crdsem/crdsem/celrules/internal/environment"
	"github.com/crdsem/crdsem/internal/belowstructural/profile"
	"github.com/crdsem/crdsem/structural"
)

// Rules are the rules of a schema, ready to run. They are immutable and safe
// for concurrent use. An expression is compiled when the first value of its
// node is validated; [Rules.Prepare] compiles all of them.
//
// The zero value and nil have no rules.
type Rules struct {
	cache   *cache
	root    *plan // nil: there are no rules
	limits  environment.Limits
	profile *profile.Profile
}

// Compile prepares the rules of a resource's schema. [Rules.Validate] reports a
// rule that does not compile once for each value of its node, as a server does;
// package check reports it for the schema.
func Compile(schema *structural.Schema, options ...structural.Option) *Rules {
	r, chosen := newRules(options)
	if !schema.HasRules() {
		return r // rules that stand only in allOf do not run (CEL-061)
	}
	r.plan(schema, chosen.Inner)
	if chosen.List != nil {
		r.root.listOperands(r, "openAPIV3Schema", chosen.List)
	}
	return r
}

// plan makes the plans of a schema.
func (r *Rules) plan(schema *structural.Schema, isInner bool) {
	r.cache.planning.Lock()
	defer r.cache.planning.Unlock()
	universe := r.cache.compiled.Universe(profile.Latest())
	root := universe.Root(schema)
	if isInner {
		root = universe.Inner(schema)
	}
	b := builder{cache: r.cache, universe: universe}
	r.root = b.plan(planKey{schema, root, root})
}

// Empty reports whether there is no rule to run.
func (r *Rules) Empty() bool { return r == nil || r.root == nil }

// Prepare compiles all rules that have not been compiled yet, so that later
// validations do not have to. It fails if the context ends first; then rules
// that are being compiled go on to be, without anybody waiting for them.
//
// Rules that do not compile are no error: see package check.
func (r *Rules) Prepare(ctx context.Context) error {
	if r.Empty() {
		return nil
	}
	return r.root.prepare(ctx, r, map[*plan]bool{})
}

// cache holds what was compiled, so that nodes that look the same to an
// expression share its compiled form.
type cache struct {
	compiled *compilation.Cache

	planning sync.Mutex
	plans    map[planKey]*plan // nil: no rule at or below
}

// cacheKey is the key of the part in a [structural.Cache].
type cacheKey struct{}

// newCache returns the part of a shared cache, or a new one if that is nil.
func newCache(shared *structural.Cache) *cache {
	own := &cache{compiled: compilation.CacheOf(shared)}
	if shared == nil {
		return own
	}
	part := shared.Part(cacheKey{}, func() structural.CachePart { return own })
	if kept, ok := part.(*cache); ok {
		return kept
	}
	return own
}

// Drop empties the cache. [Rules] that were compiled before remain usable.
func (c *cache) Drop() {
	c.planning.Lock()
	defer c.planning.Unlock()
	c.plans = nil
}
