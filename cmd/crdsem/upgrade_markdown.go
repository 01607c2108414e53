package main

import (
	"fmt"
	"strings"

	"github.com/crdsem/crdsem/cmd/crdsem/internal/output"
	"github.com/crdsem/crdsem/kit/upgrade"
)

// causes returns a row for each cause of some changes, as the text has a line.
func (u *upgrading) causes(changes []*upgrade.Change) *output.Table {
	t := &output.Table{Columns: []string{"severity", "change", "for", "shown by"}}
	left := 0
	for _, g := range upgrade.Groups(changes) {
		if g.Severity == upgrade.Fine {
			continue
		}
		if len(t.Rows) == mostRows {
			left++
			continue
		}
		first := g.Changes[0]
		shown := first.Message
		if first.Witness != nil {
			shown = witnessed(first.Witness)
		} else {
			shown += tried(first)
		}
		t.Rows = append(t.Rows, []string{
			string(g.Severity), output.Cell(u.where(g) + ": " + shorten(g.Words)),
			affected(g), output.Cell(shown),
		})
	}
	if left > 0 {
		rest := fmt.Sprintf("and %s more", count(left, "cause"))
		t.Rows = append(t.Rows, []string{"", rest, "", ""})
	}
	return t
}

// mostRows is how many causes a table lists.
const mostRows = 25

// table returns a comparison for the comment of a pull request.
func (u *upgrading) table(c *comparison) *output.Table {
	t := &output.Table{}
	if c.Report != nil {
		t = u.causes(merged(bySeverity(c.Changes)))
	}
	t.Heading = c.Name
	switch {
	case c.Removed:
		t.Empty = "Removed, with all its objects."
	case c.Added:
		t.Empty = "Added."
	case len(c.Changes) == 0:
		t.Empty = "No change."
	}
	if c.Report == nil {
		return t
	}
	if c.Apply != "" {
		t.Rows = append(t.Rows, []string{string(upgrade.Notable), output.Cell(c.Apply), "", ""})
	}
	if len(c.Changes) > 0 && len(t.Rows) == 0 {
		t.Empty = countChanges(c.Changes) + "."
	}
	if len(c.Steps) > 1 {
		for _, step := range c.Steps {
			t.Steps = append(t.Steps, step.Text)
		}
	}
	return t
}

// table returns a row for an object.
func (o *judgedObject) table() *output.Table {
	var findings []string
	for i := range o.Findings {
		findings = append(findings, output.Cell(shorten(o.Findings[i].Text)))
	}
	name := o.Name
	if name == "" {
		name = o.At
	}
	return &output.Table{
		Heading: "Stored objects", Columns: []string{"object", "fate", "findings"},
		Rows: [][]string{{output.Cell(name), string(o.Fate), strings.Join(findings, "<br>")}},
	}
}
