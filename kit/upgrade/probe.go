package upgrade

import (
	"slices"

	"github.com/crdsem/crdsem/celrules"
	"github.com/crdsem/crdsem/structural"
)

// isBroken reports whether a rule of the node refuses some scalar that the old
// node accepts. It says yes only where it runs the rule.
func (c *schemaComparison) isBroken(rule *structural.Rule) bool {
	last := c.levels[len(c.levels)-1]
	if last.old == nil || last.old.Type() != last.new.Type() || isTooLarge(last.old) ||
		!slices.Contains([]string{"string", "integer", "number", "boolean"}, last.old.Type()) {
		return false
	}
	rules := ruleOf(last.new, rule)
	if rules == nil {
		return false
	}
	values := c.probes(rule)
	for _, v := range values {
		if !isTransition(rule) {
			if c.fails(rules, v, nil) {
				return true
			}
			continue
		}
		for _, old := range values {
			if !c.isKey() && c.fails(rules, v, old) {
				return true
			}
		}
	}
	return false
}

// isTrueOfAll reports whether a rule of the node is true of every scalar that
// the old node accepts, because these are few.
func (c *schemaComparison) isTrueOfAll(rule *structural.Rule) bool {
	last := c.levels[len(c.levels)-1]
	if last.old == nil || last.old.Type() == "" || last.old.Type() != last.new.Type() ||
		isOptional(*rule) {
		return false
	}
	n := c.judges.node(last.old)
	rules, values := ruleOf(last.new, rule), n.finite()
	if rules == nil || values == nil {
		return false
	}
	values = slices.DeleteFunc(values, func(v any) bool { return v == nil || !n.accepts(v) })
	return !slices.ContainsFunc(values, func(v any) bool {
		if !isTransition(rule) {
			return !c.holds(rules, v, nil)
		}
		return slices.ContainsFunc(values, func(old any) bool { return !c.holds(rules, v, old) })
	})
}

// holds reports whether a rule is true of a value.
func (c *schemaComparison) holds(rules *celrules.Rules, v, old any) bool {
	result := rules.Validate(c.judges.ctx, v, old, celrules.WithoutRatcheting())
	return c.judges.ctx.Err() == nil && result.Err == nil && len(result.Errors) == 0
}

// ruleOf returns the rule alone, for values of the type of a node.
func ruleOf(s *structural.Schema, rule *structural.Rule) *celrules.Rules {
	keywords := map[string]any{"type": s.Type(), rulesKeyword: []any{map[string]any{
		"rule": rule.Rule, "optionalOldSelf": isOptional(*rule),
	}}}
	if s.Values().Format != "" {
		keywords["format"] = s.Values().Format
	}
	alone, err := structural.FromMap(keywords)
	if err != nil {
		return nil
	}
	return celrules.Compile(alone)
}

// probes returns some values that the old node accepts.
func (c *schemaComparison) probes(rule *structural.Rule) (accepted []any) {
	const most = 8
	n := c.judges.node(c.levels[len(c.levels)-1].old)
	values := append(c.expressions.parse(rule.Rule).literals(), valuesNear(n, nil)...)
	for _, v := range slices.Concat(values, n.someTexts(), n.made()) {
		if v != nil && len(accepted) < most && isOfType(v, n.Type()) && n.accepts(v) {
			accepted = append(accepted, v)
		}
	}
	return accepted
}

// fails reports whether a rule is false of a value, or ends with an error.
func (c *schemaComparison) fails(rules *celrules.Rules, v, old any) bool {
	result := rules.Validate(c.judges.ctx, v, old, celrules.WithoutRatcheting())
	return c.judges.ctx.Err() == nil && result.Err == nil && len(result.Errors) > 0
}

// isKey reports whether the node is a key of a list, by which an update finds
// the old value of an item.
func (c *schemaComparison) isKey() bool {
	last := len(c.levels) - 1
	if last < 2 || c.levels[last-1].step != itemStep {
		return false
	}
	step := c.levels[last].step
	return slices.ContainsFunc(c.levels[last-2].new.ListMapKeys(),
		func(key string) bool { return step == memberStep+key })
}
