package compilation

import (
	"context"
	"strings"
	"sync"

	"github.com/google/cel-go/cel"

	"github.com/crdsem/crdsem/celrules/internal/decl"
	"github.com/crdsem/crdsem/structural"
)

// Cache holds compiled rules. Nodes that look the same to expressions share
// them. The zero value is an empty cache. It is safe for concurrent use.
type Cache struct {
	// Universe holds the declarations of schema nodes.
	Universe decl.Universe
	// CELOnly turns direct evaluation off. Only tests set it, before first use.
	CELOnly bool

	mu     sync.Mutex
	scopes map[ScopeKey]*Scope
	rules  map[ruleKey]*flight[*Rule]
}

type ruleKey struct {
	scope, messageScope     *Scope
	rule, messageExpression string
}

// Drop empties the cache. Rules that were compiled before remain usable.
func (c *Cache) Drop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.scopes, c.rules = nil, nil
	c.Universe.Drop()
}

// Scope returns the scope for a key.
func (c *Cache) Scope(key ScopeKey) *Scope {
	key.Node = c.Universe.Canonical(key.Node)
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
func (c *Cache) Rule(
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
