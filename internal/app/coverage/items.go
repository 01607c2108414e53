package coverage

import (
	"context"
	"fmt"
	"slices"

	"github.com/crdsem/crdsem/celrules"
	"github.com/crdsem/crdsem/internal/app/spine"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/belowfacade/ruleoptions"
	"github.com/crdsem/crdsem/kit/crdtest"
	"github.com/crdsem/crdsem/structural"
)

// node is a node of a schema with the items that its values exercise. Nodes
// below junctors have none: a branch is an item of the node that has it.
type node struct {
	*spine.Node

	field    *Item
	checks   []counted
	required map[string]*Item
	fallback *Item // the default
	rules    []*Item
	operands [][]*Item // by rule
}

// counted is a constraint with the check that decides it.
type counted struct {
	item  *Item
	check spine.Check
}

// Names of goals.
const (
	goalSeen      = "seen"
	goalPassed    = "passed"
	goalFailed    = "failed"
	goalFilled    = "filled in"
	goalGiven     = "given"
	goalTrue      = "true"
	goalFalse     = "false"
	goalEvaluated = "evaluated"
)

// newSchemaCoverage returns the counters of a version, all at zero.
func newSchemaCoverage(crd *crdtest.CRD, version string) *schemaCoverage {
	s := &schemaCoverage{nodes: map[*spine.Node]*node{}, byPath: map[string]*node{}}
	s.File, s.Name, s.Version.Version, s.crd = crd.File, crd.Name(), version, crd
	s.root, s.prefix = spine.Of(crd, version)
	for n := range s.root.All() {
		s.addNode(n)
	}
	s.locate()
	return s
}

// addNode adds a node with its items.
func (s *schemaCoverage) addNode(of *spine.Node) {
	n := &node{Node: of, required: map[string]*Item{}}
	s.nodes[of], s.byPath[n.Path] = n, n
	if n.Path != spine.Root {
		n.field = s.add(n, Fields, "", "", goalSeen)
	}
	s.addConstraints(n)
	if value, ok := n.Raw["default"]; ok {
		n.fallback = s.add(n, Defaults, "default", spine.Text(value), goalFilled, goalGiven)
	}
	rules, _ := n.Raw[spine.RulesKeyword].([]any)
	for i, rule := range rules {
		text, _ := jsonvalue.At(rule, "rule").(string)
		keyword := fmt.Sprintf("%s[%d].rule", spine.RulesKeyword, i)
		n.rules = append(n.rules, s.add(n, ValidationRules, keyword, text, goalPassed, goalFailed))
		n.operands = append(n.operands, nil)
	}
}

// count counts a value of the node. typed is false for a value of another type.
func (n *node) count(ctx context.Context, value any, typed bool) {
	if n.field != nil {
		n.field.saw(goalSeen, 1)
	}
	if !typed {
		return
	}
	for _, c := range n.checks {
		c.count(ctx, value)
	}
	if object, ok := value.(map[string]any); ok {
		for name, item := range n.required {
			_, present := object[name]
			item.sawOutcome(present)
		}
	}
}

// add adds an item with its goals.
func (s *schemaCoverage) add(
	n *node, class Class, keyword, text string, goals ...string,
) *Item {
	item := &Item{Class: class, Path: n.Path, Keyword: keyword, Text: text}
	for _, name := range goals {
		item.Goals = append(item.Goals, Goal{Name: name})
	}
	s.Items = append(s.Items, item)
	return item
}

// saw counts a goal of an item.
func (i *Item) saw(goal string, times int) {
	for at := range i.Goals {
		if i.Goals[at].Name == goal {
			i.Goals[at].Count += times
		}
	}
}

// sawOutcome counts whether an item passed.
func (i *Item) sawOutcome(passed bool) {
	if passed {
		i.saw(goalPassed, 1)
	} else {
		i.saw(goalFailed, 1)
	}
}

// addRules compiles the rules and adds their operands.
func (s *schemaCoverage) addRules(schema *structural.Schema) {
	s.rules = celrules.Compile(schema,
		ruleoptions.ForCompile(func(o *ruleoptions.Compile) { o.List = s.addOperands }))
}

// addOperands adds the operands of a rule.
func (s *schemaCoverage) addOperands(o ruleoptions.Observation) {
	n := s.byPath[o.Path]
	if n == nil {
		return
	}
	for _, operand := range o.Operands {
		goals := []string{goalTrue, goalFalse}
		if !operand.Boolean {
			goals = []string{goalEvaluated}
		}
		item := &Item{
			Class: Operands, Path: n.Path, Keyword: n.rules[o.Index].Keyword,
			Text: operand.Text,
		}
		for _, name := range goals {
			item.Goals = append(item.Goals, Goal{Name: name})
		}
		item.at(s.within(n.rules[o.Index], operand.Offset))
		n.operands[o.Index] = append(n.operands[o.Index], item)
	}
	s.insertAfter(n.rules[o.Index], n.operands[o.Index])
}

// insertAfter puts items behind another one.
func (s *schemaCoverage) insertAfter(item *Item, added []*Item) {
	at := slices.Index(s.Items, item) + 1
	s.Items = slices.Insert(s.Items, at, added...)
}

// countRules counts evaluations of rules.
func (s *schemaCoverage) countRules(seen []ruleoptions.Observation) {
	for _, o := range seen {
		n := s.byPath[o.Path]
		if n == nil {
			continue
		}
		n.rules[o.Index].sawOutcome(o.Holds)
		items := n.operands[o.Index]
		for i, operand := range o.Operands {
			item := items[i]
			item.saw(goalTrue, operand.True)
			item.saw(goalFalse, operand.False)
			item.saw(goalEvaluated, operand.True+operand.False+operand.Other)
		}
	}
}

// countDefault counts a default that was filled in, if its node was visited.
func (s *schemaCoverage) countDefault(path string, visited map[*node]bool) {
	if n := s.byPath[path]; n != nil && n.fallback != nil && visited[n] {
		n.fallback.saw(goalFilled, 1)
	}
}

// finish computes the goals that are known by others: a default was given as
// often as its field was seen without it.
func (s *schemaCoverage) finish() {
	for _, n := range s.nodes {
		if n.fallback != nil && n.field != nil {
			given := n.field.Goals[0].Count - n.fallback.Goals[0].Count
			n.fallback.saw(goalGiven, max(given, 0))
		}
	}
}
