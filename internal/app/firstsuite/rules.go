package firstsuite

import (
	"math"
	"slices"
	"strings"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/celrules"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/kit/crdtest"
	"github.com/crdsem/crdsem/structural"
)

const rulesKeyword = "x-kubernetes-validations"

// rule adds a case in which a rule holds, and one in which it fails.
func (m *maker) rule(rule structural.Rule, node []string) {
	name := strings.Join(strings.Fields(rule.Rule), " ")
	if m.search(node).IsStatus() {
		m.statusRule(rule, node, name)
		return
	}
	optional := rule.OptionalOldSelf != nil && *rule.OptionalOldSelf
	if strings.Contains(rule.Rule, "oldSelf") && !optional {
		m.transition(rule, node, name)
		return
	}
	if kept, at := m.keeping(rule.Rule, node); kept == nil {
		m.suite.notMade = append(m.suite.notMade, "kept: "+name)
	} else {
		kept = m.shrunk(kept, func(o map[string]any) bool {
			return has(o, at) && m.create(o).Admitted()
		})
		m.add("kept: "+name, crdtest.Step{Verb: crdtest.Create, Object: kept})
	}
	broken := m.breaking(rule, node)
	if broken == nil {
		m.suite.notMade = append(m.suite.notMade, "broken: "+name)
		return
	}
	m.add("broken: "+name, crdtest.Step{Verb: crdtest.Create, Object: broken,
		Want: crdtest.Want{Errors: []string{message(m.create(broken), rule)}}})
}

// breaking returns a small object that breaks a rule and as little else as is
// found; nil if none is found.
func (m *maker) breaking(rule structural.Rule, node []string) (broken map[string]any) {
	fewest := math.MaxInt
	breaks := func(o map[string]any, atMost int) bool {
		result := m.create(o)
		return message(result, rule) != "" && len(result.Errors) <= atMost
	}
	for seed := uint64(0); seed < seeds && fewest > 1; seed++ {
		found, _ := m.seeded(node, seed).Broken(rulesKeyword, rule.Rule)
		if found == nil || !breaks(found, fewest-1) {
			continue
		}
		broken = m.shrunk(found, func(o map[string]any) bool { return breaks(o, fewest-1) })
		fewest = len(m.create(broken).Errors)
	}
	return broken
}

// seeds is how many searches are tried for a broken rule.
const seeds = 4

// message returns the text of the error of a rule that fails; empty if other
// rules fail that cannot be told apart.
func message(result *crdsem.Result, rule structural.Rule) string {
	if !slices.ContainsFunc(result.Explanations, func(x celrules.Explanation) bool {
		return x.Rule == rule.Rule
	}) {
		return ""
	}
	for _, err := range result.Errors {
		if len(result.Errors) == 1 || rule.Message != "" && err.Detail == rule.Message ||
			strings.Contains(err.Detail, rule.Rule) {
			return err.Detail
		}
	}
	return ""
}

// keeping returns a valid object that has a node and, if one is found, a field
// that the rule names. at is that field, or the node. The object is nil if none
// is found.
func (m *maker) keeping(rule string, node []string) (object map[string]any, at []string) {
	for _, at := range append(m.named(rule, node), node) {
		object, err := m.search(at).Valid()
		if err == nil && has(object, at) {
			return object, at
		}
	}
	return nil, nil
}

// named returns the nodes of the fields at a node that a rule names.
func (m *maker) named(rule string, node []string) (nodes [][]string) {
	s := m.version.Schema()
	for _, step := range node {
		switch step {
		case "[]":
			s = s.Items()
		case "{}":
			s = s.AdditionalSchema()
		default:
			s = s.Property(step[1:])
		}
	}
	for _, name := range s.PropertyNames() {
		if strings.Contains(rule, "."+name) {
			nodes = append(nodes, append(node[:len(node):len(node)], "."+name))
		}
	}
	return nodes
}

// has reports whether an object has a value at a node.
func has(v any, node []string) bool {
	if len(node) == 0 {
		return v != nil
	}
	switch v := v.(type) {
	case map[string]any:
		for key, member := range v {
			if (node[0] == "{}" || node[0] == "."+key) && has(member, node[1:]) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, func(item any) bool { return has(item, node[1:]) })
	}
	return false
}

// transition adds the cases of a rule that compares with the old object.
func (m *maker) transition(rule structural.Rule, node []string, name string) {
	update := func(old, object map[string]any) *crdsem.Result {
		return m.version.Update(m.ctx, object, old, crdsem.FieldValidation(crdsem.Strict),
			crdsem.NameFailures())
	}
	isBroken := func(old, object map[string]any) bool {
		return old != nil && m.create(old).Admitted() && message(update(old, object), rule) != ""
	}
	var old, object map[string]any
	for seed := uint64(0); seed < seeds && !isBroken(old, object); seed++ {
		old, object, _ = m.seeded(node, seed).BrokenUpdate(rulesKeyword, rule.Rule)
	}
	if !isBroken(old, object) {
		m.suite.notMade = append(m.suite.notMade, "broken: "+name)
		return
	}
	object = m.shrunk(object, func(o map[string]any) bool { return isBroken(old, o) })
	old = m.shrunk(old, func(o map[string]any) bool { return isBroken(o, object) })
	created := crdtest.Step{Verb: crdtest.Create, Object: old}
	m.add("kept: "+name, created, crdtest.Step{Verb: crdtest.Update, Object: old})
	m.add("broken: "+name, created, crdtest.Step{Verb: crdtest.Update, Object: object,
		Want: crdtest.Want{Errors: []string{message(update(old, object), rule)}}})
}

// statusRule adds a case in which a rule of the status fails.
func (m *maker) statusRule(rule structural.Rule, node []string, name string) {
	broken, err := m.search(node).Broken(rulesKeyword, rule.Rule)
	if err != nil {
		m.suite.notMade = append(m.suite.notMade, "broken: "+name)
		return
	}
	old := jsonvalue.DeepCopyMap(broken)
	delete(old, "status")
	text := func(o map[string]any) string {
		return message(m.version.UpdateStatus(m.ctx, o, old, crdsem.NameFailures()), rule)
	}
	if text(broken) == "" {
		m.suite.notMade = append(m.suite.notMade, "broken: "+name)
		return
	}
	m.add("broken: "+name, crdtest.Step{Verb: crdtest.Create, Object: old},
		crdtest.Step{Verb: crdtest.UpdateStatus, Object: broken,
			Want: crdtest.Want{Errors: []string{text(broken)}}})
}
