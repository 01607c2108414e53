// Package rules says what the ids of findings name: rules of the
// specification, checks of lint, changes that upgrade reports, and differences
// between minors.
package rules

import (
	"fmt"
	"strings"

	"github.com/crdsem/crdsem/cmd/crdsem/internal/output"
	"github.com/crdsem/crdsem/conformance/spec"
	"github.com/crdsem/crdsem/kit/advice/lint"
	"github.com/crdsem/crdsem/kit/upgrade"
	"github.com/crdsem/crdsem/minors"
)

// Home is where the files of the repository can be read.
const Home = "https://github.com/crdsem/crdsem/blob/main/"

// Rule is a rule of the specification, or what has an id as rules have.
type Rule struct {
	spec.Rule

	Link string // to its description
}

// Find returns what an id names. Case does not matter.
func Find(id string) (rule Rule, ok bool) {
	if rule, ok := spec.Find(id); ok {
		return Specified(rule), true
	}
	for _, rule := range Checks() {
		if strings.EqualFold(rule.ID, id) {
			return rule, true
		}
	}
	if rule, ok := causeOf(id); ok {
		return rule, true
	}
	return changeOf(id)
}

// causeOf returns the difference of two minors that has an id, which check and
// upgrade name as a cause.
func causeOf(id string) (cause Rule, ok bool) {
	for _, c := range minors.Changes() {
		if !strings.EqualFold(c.ID, id) {
			continue
		}
		text := c.Summary
		if len(c.Rules) > 0 {
			text += "\n\nThe rules that describe it: " + strings.Join(c.Rules, ", ") + "."
		}
		return Rule{
			spec.Rule{
				ID: c.ID, Title: "What Kubernetes " + c.Since.String() + " changed",
				Statement: text, Source: c.Upstream, Since: c.Since.String(),
			},
			Home + "internal/belowstructural/profile/changes.txt",
		}, true
	}
	return Rule{}, false
}

// Describe returns what an ID names, for printers.
func Describe(id string) (output.Rule, bool) {
	rule, ok := Find(id)
	text := rule.Statement
	if rule.Summary != "" {
		text = rule.Summary + "\n\n" + text
	}
	return output.Rule{ID: rule.ID, Title: rule.Title, Statement: text, Link: rule.Link}, ok
}

// Specified returns a rule of the specification.
func Specified(rule spec.Rule) Rule { return Rule{rule, Home + rule.Link()} }

// ChecksLink is where the checks of lint are described.
const ChecksLink = Home + "docs/lint.md"

// Checks returns the checks of lint.
func Checks() []Rule {
	var all []Rule
	for _, c := range lint.Checks() {
		all = append(all, Rule{
			spec.Rule{ID: c.ID, Title: c.Title, Statement: c.Text},
			ChecksLink + "#" + strings.ToLower(c.ID),
		})
	}
	return all
}

// changeOf returns the change that upgrade reports by an id, which has its
// class and perhaps the keyword that differs.
func changeOf(id string) (change Rule, ok bool) {
	name, keyword, _ := strings.Cut(id, "/")
	for _, class := range upgrade.Classes() {
		if !strings.EqualFold(name, OfClass(class)) {
			continue
		}
		text := "`crdsem upgrade` reports this class of a change of any keyword."
		if keyword != "" {
			text = fmt.Sprintf("`crdsem upgrade` reports it of a change of `%s` in a definition.",
				keyword)
		}
		return Rule{
			spec.Rule{ID: id, Title: class.Meaning(), Statement: text},
			Home + "docs/upgrade.md#changes",
		}, true
	}
	return Rule{}, false
}

// OfChange returns the id of a change: its class and keyword, e.g.
// stricter/maximum. If the server refuses the new definition, it is the
// rule that says so.
func OfChange(c *upgrade.Change) string {
	if c.Class == upgrade.DefinitionRefused {
		return c.Keyword
	}
	return OfClass(c.Class) + "/" + c.Keyword
}

// OfClass returns the id of a class of changes, e.g. stricter.
func OfClass(class upgrade.Class) string {
	return strings.ReplaceAll(string(class), " ", "-")
}
