package compilation

import (
	"context"
	"strings"
	"sync"

	"cel.dev/cel-go/cel"

	"github.com/crdsem/crdsem/celrules/internal/decl"
	"github.com/crdsem/crdsem/internal/belowstructural/profile"
	"github.com/crdsem/crdsem/structural"
)

// Cache holds compiled rules. Nodes that look the same to expressions share
// them. The zero value is an empty cache. It is safe for concurrent use.
type Cache struct {
	// CELOnly turns direct evaluation off. Only tests set it, before first use.
	CELOnly bool

	newest decl.Universe

	mu     sync.Mutex
	older  map[decl.Variant]*decl.Universe
	scopes map[ScopeKey]*Scope
	rules  map[ruleKey]*flight[*Rule]
}

type ruleKey struct {
	scope, messageScope     *Scope
	rule, messageExpression string
}

// cacheKey is the key of the part in a [structural.Cache].
type cacheKey struct{}

// CacheOf returns the part of a shared cache, or a new one if that is nil.
func CacheOf(shared *structural.Cache) *Cache {
	own := new(Cache)
	if shared == nil {
		return own
	}
	part := shared.Part(cacheKey{}, func() structural.CachePart { return own })
	if kept, ok := part.(*Cache); ok {
		return kept
	}
	return own
}

// Drop empties the cache. Rules that were compiled before remain usable.
func (c *Cache) Drop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.scopes, c.rules, c.older = nil, nil, nil
	c.newest.Drop()
}

// Universe returns the declarations of schema nodes in a minor. Minors in which
// they are the same share them.
func (c *Cache) Universe(p *profile.Profile) *decl.Universe {
	variant := decl.VariantOf(p)
	if variant == (decl.Variant{}) {
		return &c.newest
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if u, ok := c.older[variant]; ok {
		return u
	}
	if c.older == nil {
		c.older = map[decl.Variant]*decl.Universe{}
	}
	c.older[variant] = decl.NewUniverse(variant)
	return c.older[variant]
}

// Scope returns the scope for a key.
func (c *Cache) Scope(key ScopeKey) *Scope {
	key.Node = c.newest.Canonical(c.newest.Like(key.Node))
	c.mu.Lock()
	defer c.mu.Unlock()
	if s, ok := c.scopes[key]; ok {
		return s
	}
	s := &Scope{key: key, celOnly: c.CELOnly}
	if c.scopes == nil {
		c.scopes = map[ScopeKey]*Scope{}
	}
	c.scopes[key] = s
	return s
}

// Rule compiles a rule in one scope. Its messageExpression is compiled in
// another scope, when it is first needed.
//
// A rule is compiled once, and not under the cache's lock, so that other rules
// do not wait for it. The wait ends with the context, whose cause is the error.
//
// Minors in which an expression means and costs the same share its rule.
func (c *Cache) Rule(
	ctx context.Context, within, message *Scope, r structural.Rule,
) (*Rule, error) {
	latest, p := profile.Latest(), within.key.Profile
	if p == latest {
		return c.rule(ctx, within, message, r)
	}
	newest, err := c.rule(ctx, c.in(within, latest), c.in(message, latest), r)
	if err != nil {
		return nil, err
	}
	if p = newest.alike(p); p == latest {
		return newest, nil
	}
	return c.rule(ctx, c.in(within, p), c.in(message, p), r)
}

// in returns the scope of the same node in another minor.
func (c *Cache) in(s *Scope, p *profile.Profile) *Scope {
	key := s.key
	key.Profile = p
	return c.Scope(key)
}

// rule compiles a rule in its own minor.
func (c *Cache) rule(
	ctx context.Context, within, message *Scope, r structural.Rule,
) (*Rule, error) {
	key := ruleKey{within, message, r.Rule, r.MessageExpression}
	c.mu.Lock()
	compiling, ok := c.rules[key]
	if !ok {
		if c.rules == nil {
			c.rules = map[ruleKey]*flight[*Rule]{}
		}
		compiling = new(flight[*Rule])
		c.rules[key] = compiling
	}
	c.mu.Unlock()
	return compiling.get(ctx, func() *Rule { return newRule(key) })
}

// newRule compiles a rule without its messageExpression.
func newRule(key ruleKey) *Rule {
	r := &Rule{messageScope: key.messageScope, messageText: key.messageExpression}
	if strings.TrimSpace(key.rule) == "" {
		return r
	}
	r.Expression, r.Err = key.scope.compile(key.rule, cel.BoolType, ruleWording)
	r.UsesOldSelf = r.Expression != nil && r.Expression.UsesOldSelf
	if r.Err != nil {
		r.Expression = nil
	}
	return r
}

// CountDirect counts the rules of the cache that compile, and those of them
// that can be evaluated directly. Tests use it.
func (c *Cache) CountDirect() (direct, all int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, compiling := range c.rules {
		r, ok := compiling.known()
		if !ok || r.Expression == nil {
			continue
		}
		all++
		if r.Expression.Direct != nil {
			direct++
		}
	}
	return direct, all
}
