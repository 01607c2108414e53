package compilation

import (
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
	rules  map[ruleKey]*Rule
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
	s := newScope(key)
	s.celOnly = c.CELOnly
	if c.scopes == nil {
		c.scopes = map[ScopeKey]*Scope{}
	}
	c.scopes[key] = s
	return s
}

// Rule compiles a rule in one scope. Its messageExpression is compiled in
// another scope, when it is first needed.
func (c *Cache) Rule(within, message *Scope, r structural.Rule) *Rule {
	key := ruleKey{within, message, r.Rule, r.MessageExpression}
	c.mu.Lock()
	defer c.mu.Unlock()
	if p, ok := c.rules[key]; ok {
		return p
	}
	p := &Rule{messageScope: message, messageText: r.MessageExpression}
	if strings.TrimSpace(r.Rule) != "" {
		p.Expression, p.Err = within.compile(r.Rule, cel.BoolType, ruleWording)
		p.UsesOldSelf = p.Expression != nil && p.Expression.UsesOldSelf
		if p.Err != nil {
			p.Expression = nil
		}
	}
	if c.rules == nil {
		c.rules = map[ruleKey]*Rule{}
	}
	c.rules[key] = p
	return p
}

// CountDirect counts the rules of the cache that compile, and those of them
// that can be evaluated directly. Tests use it.
func (c *Cache) CountDirect() (direct, all int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, r := range c.rules {
		if r.Expression == nil {
			continue
		}
		all++
		if r.Expression.Direct != nil {
			direct++
		}
	}
	return direct, all
}
