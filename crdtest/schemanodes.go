package crdtest

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/crdsem/crdsem/celrules"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/chapter/ruleoptions"
	"github.com/crdsem/crdsem/structural"
)

// node is a node of a schema with the items that its values exercise. Nodes
// below junctors have none: a branch is an item of the node that has it.
type node struct {
	path string
	raw  map[string]any

	field    *Item
	valid    check // of the type
	checks   []counted
	required map[string]*Item
	fallback *Item // the default
	rules    []*Item
	operands [][]*Item // by rule

	properties        map[string]*node
	items, additional *node
}

// counted is a constraint with the check that decides it.
type counted struct {
	item  *Item
	check check
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
func newSchemaCoverage(crd *CRD, key coverageKey) *schemaCoverage {
	s := &schemaCoverage{key: key, nodes: map[string]*node{}}
	s.File, s.Name, s.Version, s.crd = crd.File, crd.Name(), key.version, crd
	versions, _ := at(crd.document, "spec", "versions").([]any)
	for i, v := range versions {
		if at(v, "name") != key.version {
			continue
		}
		raw, _ := at(v, "schema", rootPath).(map[string]any)
		s.prefix = fmt.Sprintf("spec.versions[%d].schema.", i)
		s.root = s.addNode(raw, rootPath)
		s.locate()
	}
	if s.root == nil {
		s.root = &node{}
	}
	return s
}

// rootPath is the path of the root of a schema.
const rootPath = "openAPIV3Schema"

// addNode adds a node and the nodes below it.
func (s *schemaCoverage) addNode(raw map[string]any, path string) *node {
	n := &node{path: path, raw: raw, required: map[string]*Item{}, valid: typeCheck(raw)}
	s.nodes[path] = n
	if path != rootPath {
		n.field = s.add(n, Fields, "", "", goalSeen)
	}
	s.addConstraints(n)
	if value, ok := raw["default"]; ok {
		n.fallback = s.add(n, Defaults, "default", textOf(value), goalFilled, goalGiven)
	}
	rules, _ := raw[rulesKeyword].([]any)
	for i, rule := range rules {
		text, _ := at(rule, "rule").(string)
		keyword := fmt.Sprintf("%s[%d].rule", rulesKeyword, i)
		n.rules = append(n.rules, s.add(n, ValidationRules, keyword, text, goalPassed, goalFailed))
		n.operands = append(n.operands, nil)
	}
	properties, _ := raw["properties"].(map[string]any)
	for _, name := range jsonvalue.SortedKeys(properties) {
		if property, ok := properties[name].(map[string]any); ok {
			if n.properties == nil {
				n.properties = map[string]*node{}
			}
			n.properties[name] = s.addNode(property, path+".properties["+name+"]")
		}
	}
	if items, ok := raw["items"].(map[string]any); ok {
		n.items = s.addNode(items, path+".items")
	}
	if additional, ok := raw["additionalProperties"].(map[string]any); ok {
		n.additional = s.addNode(additional, path+".additionalProperties")
	}
	return n
}

// add adds an item with its goals.
func (s *schemaCoverage) add(
	n *node, class Class, keyword, text string, goals ...string,
) *Item {
	item := &Item{Class: class, Path: n.path, Keyword: keyword, Text: text}
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
	s.rules = celrules.Compile(schema, func(o *ruleoptions.Compile) { o.List = s.addOperands })
}

// addOperands adds the operands of a rule.
func (s *schemaCoverage) addOperands(o ruleoptions.Observation) {
	n := s.nodes[o.Path]
	if n == nil || o.Index >= len(n.rules) {
		return
	}
	for _, operand := range o.Operands {
		goals := []string{goalTrue, goalFalse}
		if !operand.Boolean {
			goals = []string{goalEvaluated}
		}
		item := &Item{
			Class: Operands, Path: n.path, Keyword: n.rules[o.Index].Keyword,
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
		n := s.nodes[o.Path]
		if n == nil || o.Index >= len(n.rules) {
			continue
		}
		n.rules[o.Index].sawOutcome(o.Holds)
		for i, item := range n.operands[o.Index] {
			if i >= len(o.Operands) {
				break
			}
			operand := o.Operands[i]
			item.saw(goalTrue, operand.True)
			item.saw(goalFalse, operand.False)
			item.saw(goalEvaluated, operand.True+operand.False+operand.Other)
		}
	}
}

// countDefault counts a default that was filled in, if its node was visited.
func (s *schemaCoverage) countDefault(path string, visited map[*node]bool) {
	if n := s.nodes[path]; n != nil && n.fallback != nil && visited[n] {
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

// walk counts the values of one object.
type walk struct {
	ctx     context.Context
	visited map[*node]bool
}

// value counts a value of a node and the values in it. A value of a wrong type
// is not looked into.
func (w *walk) value(n *node, value any) {
	if n == nil || n.raw == nil {
		return
	}
	w.visited[n] = true
	if n.field != nil {
		n.field.saw(goalSeen, 1)
	}
	if value == nil || !n.valid.holds(w.ctx, value) {
		return
	}
	for _, c := range n.checks {
		c.count(w.ctx, value)
	}
	switch v := value.(type) {
	case map[string]any:
		for name, item := range n.required {
			_, present := v[name]
			item.sawOutcome(present)
		}
		for _, name := range jsonvalue.SortedKeys(v) {
			w.field(n, name, v)
		}
	case []any:
		for _, item := range v {
			w.value(n.items, item)
		}
	}
}

// field counts a field of an object, if the object has it.
func (w *walk) field(n *node, name string, object map[string]any) {
	value, ok := object[name]
	if !ok {
		return
	}
	below := n.properties[name]
	if below == nil {
		below = n.additional
	}
	w.value(below, value)
}

// textOf returns a JSON value as text, cut off where it is long.
func textOf(value any) string {
	text, err := jsonvalue.EncodeJSON(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	const most = 60
	if len(text) > most {
		return strings.ToValidUTF8(string(text[:most]), "") + "…"
	}
	return string(text)
}

// fieldOf returns the field of an object that a schema path describes, e.g.
// spec.ports[].name of
// openAPIV3Schema.properties[spec].properties[ports].items.properties[name].
func fieldOf(path string) string {
	rest := strings.TrimPrefix(path, rootPath)
	var out strings.Builder
	for rest != "" {
		switch {
		case strings.HasPrefix(rest, ".properties["):
			rest = rest[len(".properties["):]
			name, after := cutName(rest)
			out.WriteString("." + name)
			rest = after
		case strings.HasPrefix(rest, ".items"):
			rest = rest[len(".items"):]
			out.WriteString("[]")
		case strings.HasPrefix(rest, ".additionalProperties"):
			rest = rest[len(".additionalProperties"):]
			out.WriteString("[" + strconv.Quote("*") + "]")
		default:
			out.WriteString(rest)
			rest = ""
		}
	}
	if out.Len() == 0 {
		return "the object"
	}
	return strings.TrimPrefix(out.String(), ".")
}

// cutName cuts a name off its closing bracket. Names may have brackets
// themselves, so the bracket is the one before a keyword.
func cutName(text string) (name, rest string) {
	for i := range len(text) {
		if text[i] != ']' {
			continue
		}
		rest := text[i+1:]
		if rest == "" || strings.HasPrefix(rest, ".properties[") ||
			strings.HasPrefix(rest, ".items") || strings.HasPrefix(rest, ".additionalProperties") {
			return text[:i], rest
		}
	}
	return text, ""
}
