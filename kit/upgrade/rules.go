package upgrade

import (
	"slices"

	"github.com/crdsem/crdsem/kit/skew"
	"github.com/crdsem/crdsem/structural"
)

// rules compares the validation rules of a node by their expressions.
func (c *schemaComparison) rules(old, changed *structural.Schema) {
	was, is := old.Rules(), changed.Rules()
	find := func(list []structural.Rule, rule structural.Rule) int {
		return slices.IndexFunc(list, func(r structural.Rule) bool { return r.Rule == rule.Rule })
	}
	same := cured(was, is)
	tightened, kept := c.tightened(was, is, same)
	for i := range was {
		rule := &was[i]
		if find(is, *rule) < 0 && !c.expressions.isImplied(rule, is) && !same[rule.Rule] &&
			!kept[rule.Rule] {
			c.rule(Change{Class: Looser, Old: rule.Rule}, rule.Rule)
		}
	}
	for i := range is {
		rule := &is[i]
		at := find(was, *rule)
		switch {
		case at < 0:
			c.newRule(old, rule, same[rule.Rule], tightened[rule.Rule])
		case isOptional(was[at]) != isOptional(*rule):
			change := Change{
				Old: rule.Rule, New: rule.Rule,
				Message: "optionalOldSelf is " + onOff(isOptional(*rule)),
			}
			change.Class = Stricter
			c.rule(change, rule.Rule)
			change.Class = Looser
			c.rule(change, rule.Rule)
		case !sameTexts(was[at], *rule):
			c.rule(Change{
				Class: Cosmetic, Decided: true,
				Old: messageOf(was[at]), New: messageOf(*rule), Message: rule.Rule,
			}, rule.Rule)
		}
	}
}

// tightened returns the rules that take the place of one that is gone and
// refuse more than it did, with that one. The rules that are gone are kept by
// the new definition: it still refuses all that they did.
func (c *schemaComparison) tightened(
	was, is []structural.Rule, same map[string]bool,
) (by map[string]string, kept map[string]bool) {
	by, kept = map[string]string{}, map[string]bool{}
	gone, added := withoutRules(was, is), withoutRules(is, was)
	for _, rule := range gone {
		reads := c.expressions.parse(rule.Rule).readPaths()
		i := slices.IndexFunc(added, func(r structural.Rule) bool {
			return by[r.Rule] == "" && isOptional(r) == isOptional(rule) &&
				isTransition(&r) == isTransition(&rule) &&
				slices.Equal(c.expressions.parse(r.Rule).readPaths(), reads)
		})
		if i < 0 || len(reads) == 0 || same[rule.Rule] || !c.isImpliedAfter(&rule) {
			continue
		}
		by[added[i].Rule], kept[rule.Rule] = rule.Rule, true
	}
	return by, kept
}

// withoutRules returns the rules of a list whose expressions another one lacks.
func withoutRules(list, other []structural.Rule) []structural.Rule {
	return slices.DeleteFunc(slices.Clone(list), func(rule structural.Rule) bool {
		return slices.ContainsFunc(other, func(r structural.Rule) bool {
			return r.Rule == rule.Rule
		})
	})
}

// readPaths returns the paths that a rule reads, each once and in order.
func (x *expression) readPaths() (paths []string) {
	if x == nil {
		return nil
	}
	for _, r := range x.reads {
		paths = append(paths, "/"+pathKey(r.path))
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// isImpliedAfter reports whether the new definition makes a rule hold.
func (c *schemaComparison) isImpliedAfter(rule *structural.Rule) bool {
	turned := *c
	turned.levels = turnedLevels(c.levels)
	isImplied, _ := turned.impliesRule(rule)
	return isImplied
}

// turnedLevels returns levels of the comparison the other way round.
func turnedLevels(levels []level) []level {
	turned := slices.Clone(levels)
	for i := range turned {
		turned[i].old, turned[i].new = turned[i].new, turned[i].old
	}
	return turned
}

// newRule adds the change of a rule that is new. It refuses nothing if rules of
// the old definition say the same, if it is one of them written otherwise
// (isSame), or if it is true of all old values. It may take the place of one
// that refused less.
func (c *schemaComparison) newRule(
	old *structural.Schema, rule *structural.Rule, isSame bool, instead string,
) {
	change := Change{Class: Stricter, New: rule.Rule}
	if isSame || c.expressions.isImplied(rule, old.Rules()) ||
		c.prover(len(c.levels)).prove(rule.Rule) || c.isKeptAbove(rule) ||
		c.isUnreachable(c.levels) {
		change.Class, change.Decided = NoEffect, true
		c.rule(change, rule.Rule)
		return
	}
	isImplied, examples := c.impliesRule(rule)
	switch {
	case isImplied, c.isTrueOfAll(rule):
		change.Class, change.Decided = NoEffect, true
	case c.concerning(oldOf, len(c.levels), false) == "":
		change.Decided = c.isBroken(rule)
	}
	if change.Class == Stricter && instead != "" {
		change.Old = instead
	}
	c.rule(change, rule.Rule).target.examples = examples
}

// isKeptAbove reports whether a rule says that a scalar stays, and an old rule
// that what is around it does.
func (c *schemaComparison) isKeptAbove(rule *structural.Rule) bool {
	last := len(c.levels) - 1
	isScalar := slices.Contains(
		[]string{"string", "integer", "number", "boolean"}, c.levels[last].new.Type())
	if !isScalar || isOptional(*rule) || !saysEqual(rule) || c.levels[last].old == nil {
		return false
	}
	for i := range last {
		around := c.levels[i].old
		if around == nil {
			return false
		}
		isKept := slices.ContainsFunc(around.Rules(), func(r structural.Rule) bool {
			return saysEqual(&r) && !isOptional(r)
		})
		if isKept && c.prover(i+1).isReadAlike(rulePath(c.levels[i+1:])) {
			return true
		}
	}
	return false
}

// saysEqual reports whether a rule says that a value stays what it was.
func saysEqual(rule *structural.Rule) bool {
	return rule.Rule == "self == oldSelf" || rule.Rule == "oldSelf == self"
}

// cured returns the rules that are gone or new, but are one rule before and
// after [skew.CureOf] wrote it, which judges every object as before. Each rule
// that is gone is written once.
func cured(was, is []structural.Rule) map[string]bool {
	found, added := map[string]bool{}, map[string]bool{}
	for i := range is {
		added[ruleKey(&is[i], is[i].Rule)] = true
	}
	for i := range was {
		if rule := &was[i]; !added[ruleKey(rule, rule.Rule)] {
			text := skew.Rewritten(rule.Rule)
			if text != "" && added[ruleKey(rule, text)] {
				found[rule.Rule], found[text] = true, true
			}
		}
	}
	return found
}

// ruleKey returns the text of a rule with its optionalOldSelf.
func ruleKey(rule *structural.Rule, text string) string {
	return onOff(isOptional(*rule)) + " " + text
}

// impliesRule reports whether the old definition makes a rule of the node hold.
// Otherwise it returns objects for which it may not.
func (c *schemaComparison) impliesRule(rule *structural.Rule) (bool, []example) {
	x := c.expressions.parse(rule.Rule)
	if x == nil || isOptional(*rule) || c.levels[len(c.levels)-1].old == nil {
		return false, nil
	}
	for _, part := range conjuncts(x.root) {
		l := c.logic(c.levels)
		l.isUpdate = isTransition(rule)
		s := scope{isGoal: true}.of(l.base)
		isImplied, examples := l.decides(l.condition(part, s), s)
		if !isImplied {
			return false, examples
		}
	}
	return true, nil
}

// rule adds a change of a rule.
func (c *schemaComparison) rule(change Change, rule string) *Change {
	change.Keyword = rulesKeyword
	added := c.add(change)
	added.target.rule, added.target.expression = rule, c.expressions.parse(rule)
	level := c.levels[len(c.levels)-1]
	added.target.isTotal = level.new != nil && added.target.expression.isTotal(level.new.Type())
	return added
}

const rulesKeyword = "x-kubernetes-validations"

func isOptional(rule structural.Rule) bool {
	return rule.OptionalOldSelf != nil && *rule.OptionalOldSelf
}

func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}

// sameTexts reports whether two rules with one expression report the same.
func sameTexts(a, b structural.Rule) bool {
	a.OptionalOldSelf, b.OptionalOldSelf = nil, nil
	return a == b
}

// messageOf returns what a rule reports, as far as it is not the default.
func messageOf(rule structural.Rule) any {
	texts := map[string]any{}
	for name, text := range map[string]string{
		"message": rule.Message, "messageExpression": rule.MessageExpression,
		"reason": rule.Reason, "fieldPath": rule.FieldPath,
	} {
		if text != "" {
			texts[name] = text
		}
	}
	return texts
}
