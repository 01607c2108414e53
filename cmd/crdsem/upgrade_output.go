package main

import (
	"fmt"

	"github.com/crdsem/crdsem/cmd/crdsem/internal/output"
	"github.com/crdsem/crdsem/cmd/crdsem/internal/rules"
	"github.com/crdsem/crdsem/internal/app/judge"
	"github.com/crdsem/crdsem/internal/app/verdict"
	"github.com/crdsem/crdsem/kit/upgrade"
)

// definitionItem returns the item of a definition.
func (u *upgrading) definitionItem(c *comparison) (*output.Item, error) {
	object, _, err := c.document.Object()
	if err != nil {
		return nil, err
	}
	return &output.Item{
		List: "definitions", Value: c, Result: u.definitionResult(c, object),
		Text:  func() string { return u.definitionText(c) },
		Table: func() *output.Table { return u.table(c) },
	}, nil
}

// definitionResult returns a finding for each change. The object is the new
// definition, or the old one if it is removed.
func (u *upgrading) definitionResult(c *comparison, object map[string]any) *verdict.Result {
	r := judge.NewResult(c.document, object)
	r.Definition = true
	if c.Removed {
		r.Verdict = verdict.Refused
		r.Findings = []verdict.Finding{{
			Severity: verdict.Error, Line: r.Line, Column: r.Column, Text: removedText,
		}}
	}
	if c.Apply != "" {
		if u.fails(upgrade.Notable) {
			r.Verdict = verdict.Refused
		}
		r.Findings = append(r.Findings, verdict.Finding{
			Severity: verdict.Warning, Line: r.Line, Column: r.Column, Text: c.Apply,
		})
	}
	if c.Report != nil {
		for _, change := range bySeverity(c.Changes) {
			if u.failsBy(change) {
				r.Verdict = verdict.Refused
			}
			r.Findings = append(r.Findings, changeFinding(c, object, change))
		}
	}
	return r
}

// removedText says that the new definitions lack one.
const removedText = "removed, with all its objects"

// changeFinding returns a change with its place in the file of the new
// definition.
func changeFinding(c *comparison, crd map[string]any, change *upgrade.Change) verdict.Finding {
	path := change.Path
	if change.Version != "" {
		path = schemaOf(crd, change.Version) + "." + change.SchemaPath()
	}
	at := c.document.Find(path).Key
	text := change.String() + tried(change)
	if change.Message != "" {
		text += ": " + change.Message
	}
	if change.Witness != nil {
		text += ", e.g. " + witnessed(change.Witness)
	}
	return verdict.Finding{
		Severity: levels[change.Severity], Line: at.Line, Column: at.Column, Field: change.Path,
		Text: text, Rule: rules.OfChange(change),
	}
}

// schemaOf returns the path of a version's schema in a definition.
func schemaOf(crd map[string]any, version string) string {
	spec, _ := crd["spec"].(map[string]any)
	versions, _ := spec["versions"].([]any)
	for i, v := range versions {
		if v, _ := v.(map[string]any); v["name"] == version {
			return fmt.Sprintf("spec.versions[%d].schema.openAPIV3Schema", i)
		}
	}
	return "spec.validation.openAPIV3Schema"
}

// objectItem returns the item of an object. The first one has a heading.
func (u *upgrading) objectItem(o *judgedObject) *output.Item {
	r := o.result
	r.Findings = o.Findings
	if o.Definition != "" && u.fails(o.Severity) {
		r.Verdict = verdict.Refused
	}
	heading := ""
	if !u.hasObjects {
		heading = "objects:\n"
	}
	u.hasObjects = true
	return &output.Item{
		List: "objects", Value: o, Result: r,
		Text:  func() string { return heading + o.text() },
		Table: o.table,
	}
}
