package celrules

import (
	"errors"
	"sync"

	"github.com/crdsem/crdsem/celrules/internal/decl"
	"github.com/crdsem/crdsem/celrules/library"
	"github.com/crdsem/crdsem/structural"
)

// Rules are the rules of a schema, ready to run. They are immutable and safe for concurrent use. Expressions are compiled when
// a value of their node first comes by; [Rules.Prepare] compiles them all.
type Rules struct {
	cache *Cache
	root  *plan // nil: there are no rules
	limit uint64
}

// Compile prepares the rules of a schema: that of a whole resource, unless an option says otherwise. Rules that do not compile are
// told by [Rules.Validate] for every value of their node, as on a server; [Check] tells them for the schema.
func Compile(schema *structural.Schema, choices ...Option) *Rules {
	o := newOptions(choices)
	r := &Rules{cache: o.cache, limit: o.perCallLimit}
	if !schema.HasRules() {
		return r // rules in allOf alone count for nothing (CEL-061)
	}
	r.cache.planning.Lock()
	defer r.cache.planning.Unlock()
	b := builder{cache: r.cache}
	root := r.cache.universe.Root(schema)
	if o.inner {
		root = r.cache.universe.Inner(schema)
	}
	r.root = b.plan(planKey{schema, root, root})
	return r
}

// Empty tells whether there is no rule to run.
func (r *Rules) Empty() bool { return r == nil || r.root == nil }

// Prepare compiles all rules that have not been compiled yet, so that no validation has to.
func (r *Rules) Prepare() {
	if r.Empty() {
		return
	}
	r.root.prepare(r.cache, map[*plan]bool{})
}

// plan is what runs at one place: the rules given by one schema, on values described by a node. The two differ in allOf. The
// declaration by which expressions are checked is the node too, except for the metadata of a resource root.
type plan struct {
	given *structural.Schema
	node  *decl.Node
	decl  *decl.Node // nil: there is none

	allOf      []*plan
	items      *plan
	additional *plan
	names      []string // of the properties with plans, in order
	properties map[string]*plan

	compiling   sync.Once
	programs    []*ruleProgram
	usesOldSelf bool
}

type planKey struct {
	given *structural.Schema
	node  *decl.Node
	decl  *decl.Node
}

// builder makes plans while it has the cache's lock for it.
type builder struct{ cache *Cache }

// plan returns the plan of a place, nil if nothing runs there or below. Identical places share one.
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
		p.additional = b.element(planKey{additional, key.node, key.decl}, key.node.Schema.AdditionalSchema())
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
	return len(p.given.Rules()) == 0 && p.items == nil && p.additional == nil && len(p.names) == 0 && len(p.allOf) == 0
}

// element plans items or map values: of are the rules with the parent's node and declaration.
func (b *builder) element(of planKey, declared *structural.Schema) *plan {
	if declared == nil {
		return nil
	}
	return b.plan(planKey{of.given, b.cache.universe.Inner(declared), of.decl.ElemDecl()})
}

// addProperties adds the properties that are on the spine and that CEL can see, or whose names it cannot (CEL-033).
func (b *builder) addProperties(p *plan) {
	for name, given := range p.given.Properties() {
		declared := p.node.Schema.Property(name)
		if declared == nil {
			continue
		}
		node := b.cache.universe.Inner(declared)
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

var errOmitted = errors.New("failed to convert to declType for CEL validation rules")

// compile compiles the rules of the place once. It fails where the node has no type.
func (p *plan) compile(c *Cache) ([]*ruleProgram, error) {
	rules := p.given.Rules()
	if len(rules) > 0 && p.decl == nil {
		return nil, errOmitted
	}
	p.compiling.Do(func() {
		p.programs = make([]*ruleProgram, len(rules))
		for i := range rules {
			s := c.scope(scopeKey{p.decl, seesOptional(&rules[i]), library.StoredExpressions})
			p.programs[i] = c.rule(s, s, rules[i])
			p.usesOldSelf = p.usesOldSelf || p.programs[i].usesOldSelf
		}
	})
	return p.programs, nil
}

func (p *plan) prepare(c *Cache, done map[*plan]bool) {
	if p == nil || done[p] {
		return
	}
	done[p] = true
	programs, _ := p.compile(c)
	for _, program := range programs {
		program.messageExpression()
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
