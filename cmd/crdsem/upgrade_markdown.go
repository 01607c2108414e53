package main

import (
	"strings"

	"github.com/crdsem/crdsem/cmd/crdsem/internal/output"
	"github.com/crdsem/crdsem/kit/upgrade"
)

// table returns a comparison for the comment of a pull request.
func (c *comparison) table() *output.Table {
	t := &output.Table{Heading: c.Name, Columns: []string{"severity", "change", "shown by"}}
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
	for _, change := range merged(bySeverity(c.Changes)) {
		if change.Severity == upgrade.Fine {
			continue
		}
		shown := change.Message
		if change.Witness != nil {
			shown = witnessed(change.Witness)
		} else {
			shown += tried(change)
		}
		t.Rows = append(t.Rows, []string{
			string(change.Severity), output.Cell(change.String()), output.Cell(shown),
		})
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
