package edit

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/crdsem/crdsem/spec"
	"github.com/crdsem/crdsem/structural"
)

// Hover returns what is known of the field at a position, as Markdown; empty if
// nothing is.
func (w *Workspace) Hover(name string, at Position) string {
	lines := strings.Split(w.Text(name), "\n")
	if at.Line < 0 || at.Line >= len(lines) {
		return ""
	}
	way := wayTo(lines, at.Line, len(strings.TrimRight(lines[at.Line], "\r")))
	steps := way.steps
	for _, k := range way.keys {
		if k.line == at.Line {
			in := wayTo(lines, at.Line, k.column)
			steps = append(in.steps, wayStep{key: k.key})
		}
	}
	if len(steps) == 0 {
		return ""
	}
	if way.value("kind") == "CustomResourceDefinition" {
		return keywordText(steps)
	}
	v := w.definitions().version(way)
	if v == nil {
		return ""
	}
	s := nodeAt(v.Schema(), steps)
	if s == nil {
		return ""
	}
	required := nodeAt(v.Schema(), steps[:len(steps)-1]).Values().Required
	return describe(s, steps[len(steps)-1].key, required)
}

// keywordText returns what a keyword of a definition does.
func keywordText(steps []wayStep) string {
	var known []keyword
	switch last := len(steps) - 1; inSchema(steps[:last]) {
	case atSchema:
		known = schemaKeywords
	case atRule:
		known = ruleKeywords
	}
	for _, k := range known {
		if k.name == steps[len(steps)-1].key {
			return fmt.Sprintf("**%s**: %s\n\n%s", k.name, k.detail, k.text)
		}
	}
	return ""
}

// describe returns a field's type, description, constraints and rules.
func describe(s *structural.Schema, name string, required []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "**%s**: %s", name, typeOf(s))
	if slices.Contains(required, name) {
		b.WriteString(", required")
	}
	if s.Nullable() {
		b.WriteString(", nullable")
	}
	if text := s.Description(); text != "" {
		fmt.Fprintf(&b, "\n\n%s", text)
	}
	for _, line := range constraints(s) {
		fmt.Fprintf(&b, "\n- %s", line)
	}
	for _, r := range s.Rules() {
		fmt.Fprintf(&b, "\n\n```cel\n%s\n```", r.Rule)
		if r.Message != "" {
			fmt.Fprintf(&b, "\n%s", r.Message)
		}
	}
	return b.String()
}

// constraints returns the keywords of a node that restrict values.
func constraints(s *structural.Schema) (lines []string) {
	add := func(format string, value any) { lines = append(lines, fmt.Sprintf(format, value)) }
	encode := func(value any) string {
		text, err := json.Marshal(value)
		if err != nil {
			return fmt.Sprint(value)
		}
		return string(text)
	}
	if d := s.Default(); d != nil {
		add("default: `%s`", encode(d))
	}
	v := s.Values()
	for _, e := range v.Enum {
		add("value: `%s`", encode(e))
	}
	if v.Format != "" {
		add("format: `%s`", v.Format)
	}
	if v.Pattern != "" {
		add("pattern: `%s`", v.Pattern)
	}
	for _, bound := range []struct {
		name  string
		value *float64
	}{{"minimum", v.Minimum}, {"maximum", v.Maximum}, {"multiple of", v.MultipleOf}} {
		if bound.value != nil {
			add(bound.name+": `%v`", *bound.value)
		}
	}
	for _, bound := range []struct {
		name  string
		value *int64
	}{
		{"least length", v.MinLength}, {"greatest length", v.MaxLength},
		{"fewest items", v.MinItems}, {"most items", v.MaxItems},
		{"fewest fields", v.MinProperties}, {"most fields", v.MaxProperties},
	} {
		if bound.value != nil {
			add(bound.name+": `%v`", *bound.value)
		}
	}
	if keys := s.ListMapKeys(); len(keys) > 0 {
		add("items are told apart by %s", strings.Join(keys, ", "))
	}
	return lines
}

// RuleText returns the text of a rule of the specification, e.g. VAL-050, as
// Markdown; empty if it is not known.
func RuleText(id string) string {
	rule, ok := spec.Find(id)
	if !ok {
		return ""
	}
	return fmt.Sprintf("**%s** %s\n\n%s", rule.ID, rule.Title, rule.Statement)
}
