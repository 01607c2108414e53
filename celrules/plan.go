package celrules

import (
	"errors"
	"sync"

	"github.com/crdsem/crdsem/celrules/internal/compilation"
	"github.com/crdsem/crdsem/celrules/internal/decl"
	"github.com/crdsem/crdsem/celrules/library"
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
	names      []string // of the properties with plans, in order
	properties map[string]*plan

	compiling   sync.Once
	programs    []*compilation.Rule
	usesOldSelf bool
}

type planKey struct {
	given *structural.Schema
	node  *decl.Node
	decl  *decl.Node
}

// builder makes plans while the cache's planning lock is held.
type builder struct{ cache *Cache }

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
		len(p.names) == 0 && len(p.allOf) == 0
}

// element plans the items of a list or the values of a map. The key holds the
// schema of the elements, but node and declaration of the parent.
func (b *builder) element(of planKey, declared *structural.Schema) *plan {
	if declared == nil {
		return nil
	}
	node := b.cache.compiled.Universe.Inner(declared)
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
		node := b.cache.compiled.Universe.Inner(declared)
		declaration := node
		if escaped, ok := decl.Escape(name); ok {
			declaration = p.decl.Field(escaped)
		}
		if declaration == nil || declaration.Omitted() {
			continue
		}
		if q := b.plan(planKey{given, node, declaration}); q != nil {
			if p.properties == nil {
				p.properties = map[string]*plan{}
			}
			p.names = append(p.names, name)
			p.properties[name] = q
		}
	}
}

// errOmitted is the server's error for rules of a node that has no CEL type,
// e.g. one without a type.
var errOmitted = errors.New("failed to convert to declType for CEL validation rules")

// compile returns the compiled rules of the node. It fails if CEL cannot see
// the node.
func (p *plan) compile(c *Cache) ([]*compilation.Rule, error) {
	rules := p.given.Rules()
	if len(rules) > 0 && p.decl == nil {
		return nil, errOmitted
	}
	p.compiling.Do(func() {
		p.programs = make([]*compilation.Rule, len(rules))
		for i := range rules {
			s := c.compiled.Scope(compilation.ScopeKey{
				Node:            p.decl,
				OptionalOldSelf: compilation.OptionalOldSelf(&rules[i]),
				Expressions:     library.StoredExpressions,
			})
			p.programs[i] = c.compiled.Rule(s, s, rules[i])
			p.usesOldSelf = p.usesOldSelf || p.programs[i].UsesOldSelf
		}
	})
	return p.programs, nil
}

// prepare compiles the rules of the node and of all nodes below.
func (p *plan) prepare(c *Cache, done map[*plan]bool) {
	if p == nil || done[p] {
		return
	}
	done[p] = true
	programs, _ := p.compile(c)
	for _, program := range programs {
		program.MessageExpression()
	}
	for _, q := range p.allOf {
		q.prepare(c, done)
	}
	p.items.prepare(c, done)
	p.additional.prepare(c, done)
	for _, name := range p.names {
		p.properties[name].prepare(c, done)
	}
}
