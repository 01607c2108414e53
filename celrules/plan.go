package celrules

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"

	"github.com/crdsem/crdsem/celrules/internal/compilation"
	"github.com/crdsem/crdsem/celrules/internal/decl"
	"github.com/crdsem/crdsem/internal/belowfacade/library"
	"github.com/crdsem/crdsem/internal/belowstructural/profile"
	"github.com/crdsem/crdsem/structural"
)

// A plan holds the rules to run on the values of one schema node, and the plans
// of the nodes below it. Plans leave out all nodes without rules, so that a
// validation visits only values that have rules at or below them.
//
// Identical nodes share one plan. Its rules are compiled when they first run.
//
// Rules of allOf have a plan of their own: given is the branch of allOf, while
// node is the schema node that the branch belongs to.
type plan struct {
	given *structural.Schema // holds the rules
	node  *decl.Node         // describes the values
	// decl declares self. It differs from node only below the metadata of a
	// resource root. It is nil if CEL cannot see the node.
	decl *decl.Node

	allOf      []*plan
	items      *plan
	additional *plan
	properties []plannedProperty // those with plans, in the order of names

	compiled atomic.Pointer[compiledRules] // nil until they first run
}

// plannedProperty is the plan of a property's values.
type plannedProperty struct {
	name string
	plan *plan
}

// compiledRules are the compiled rules of one plan in one minor.
type compiledRules struct {
	profile     *profile.Profile
	node        *decl.Node // describes the values in the minor
	programs    []*compilation.Rule
	usesOldSelf bool
	next        *compiledRules // of another minor
}

// of returns the rules of a minor, nil if they are not compiled.
func (c *compiledRules) of(p *profile.Profile) *compiledRules {
	for c != nil && c.profile != p {
		c = c.next
	}
	return c
}

type planKey struct {
	given *structural.Schema
	node  *decl.Node
	decl  *decl.Node
}

// builder makes plans while the cache's planning lock is held.
type builder struct {
	cache    *cache
	universe *decl.Universe
}

// plan returns the plan for a key, nil if no rule runs at or below the node.
func (b *builder) plan(key planKey) *plan {
	if key.decl != nil && key.decl.Omitted() {
		key.decl = nil
	}
	if p, ok := b.cache.plans[key]; ok {
		return p
	}
	p := &plan{given: key.given, node: key.node, decl: key.decl}
	if items := key.given.Items(); items != nil {
		p.items = b.element(planKey{items, key.node, key.decl}, key.node.Schema.Items())
	}
	b.addProperties(p)
	if additional := key.given.AdditionalSchema(); additional != nil {
		of := planKey{additional, key.node, key.decl}
		p.additional = b.element(of, key.node.Schema.AdditionalSchema())
	}
	for _, branch := range key.given.Values().AllOf {
		if q := b.plan(planKey{branch, key.node, key.decl}); q != nil {
			p.allOf = append(p.allOf, q)
		}
	}
	if p.isEmpty() {
		p = nil
	}
	if b.cache.plans == nil {
		b.cache.plans = map[planKey]*plan{}
	}
	b.cache.plans[key] = p
	return p
}

func (p *plan) isEmpty() bool {
	return len(p.given.Rules()) == 0 && p.items == nil && p.additional == nil &&
		len(p.properties) == 0 && len(p.allOf) == 0
}

// element plans the items of a list or the values of a map. The key holds the
// schema of the elements, but node and declaration of the parent.
func (b *builder) element(of planKey, declared *structural.Schema) *plan {
	if declared == nil {
		return nil
	}
	node := b.universe.Inner(declared)
	return b.plan(planKey{of.given, node, of.decl.ElemDecl()})
}

// addProperties plans the properties on the spine that CEL can see. It also
// plans properties whose names cannot be escaped for CEL (CEL-033).
func (b *builder) addProperties(p *plan) {
	for name, given := range p.given.Properties() {
		declared := p.node.Schema.Property(name)
		if declared == nil {
			continue
		}
		node := b.universe.Inner(declared)
		declaration := node
		if escaped, ok := decl.Escape(name); ok {
			declaration = p.decl.Field(escaped)
		}
		if declaration == nil || declaration.Omitted() {
			continue
		}
		if q := b.plan(planKey{given, node, declaration}); q != nil {
			p.properties = append(p.properties, plannedProperty{name, q})
		}
	}
	p.properties = slices.Clip(p.properties)
}

// errOmitted is the server's error for rules of a node that has no CEL type,
// e.g. one without a type.
var errOmitted = errors.New("failed to convert to declType for CEL validation rules")

// compile returns the compiled rules of the node, which CEL must be able to
// see. It fails if the context ends while it waits for them.
func (p *plan) compile(ctx context.Context, r *Rules) (*compiledRules, error) {
	first := p.compiled.Load()
	if done := first.of(r.profile); done != nil {
		return done, nil
	}
	c, rules := r.cache, p.given.Rules()
	out := &compiledRules{
		profile:  r.profile,
		node:     c.compiled.Universe(r.profile).Like(p.node),
		programs: make([]*compilation.Rule, len(rules)),
		next:     first,
	}
	for i := range rules {
		s := c.compiled.Scope(compilation.ScopeKey{
			Node:            p.decl,
			OptionalOldSelf: compilation.OptionalOldSelf(&rules[i]),
			Profile:         r.profile,
			Expressions:     library.StoredExpressions,
		})
		program, err := c.compiled.Rule(ctx, s, s, rules[i])
		if err != nil {
			return nil, err
		}
		out.programs[i] = program
		out.usesOldSelf = out.usesOldSelf || program.UsesOldSelf
	}
	p.compiled.CompareAndSwap(first, out) // else another goroutine did the same
	return out, nil
}

// prepare compiles the rules of the node and of all nodes below. It fails if
// the context ends.
func (p *plan) prepare(ctx context.Context, r *Rules, done map[*plan]bool) error {
	if p == nil || done[p] {
		return nil
	}
	done[p] = true
	if err := p.prepareOwn(ctx, r); err != nil {
		return err
	}
	below := append(slices.Clone(p.allOf), p.items, p.additional)
	for _, property := range p.properties {
		below = append(below, property.plan)
	}
	for _, q := range below {
		if err := q.prepare(ctx, r, done); err != nil {
			return err
		}
	}
	return nil
}

// prepareOwn compiles the rules of the node.
func (p *plan) prepareOwn(ctx context.Context, r *Rules) error {
	if p.decl == nil {
		return ctx.Err() // the rules do not compile: errOmitted
	}
	compiled, err := p.compile(ctx, r)
	if err != nil {
		return err
	}
	for _, program := range compiled.programs {
		if err := program.PrepareMessage(ctx); err != nil {
			return err
		}
	}
	return ctx.Err()
}
