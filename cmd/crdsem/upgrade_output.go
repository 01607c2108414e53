package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"github.com/crdsem/crdsem/cmd/crdsem/internal/output"
	"github.com/crdsem/crdsem/cmd/crdsem/internal/rules"
	"github.com/crdsem/crdsem/internal/app/judge"
	"github.com/crdsem/crdsem/internal/app/verdict"
	"github.com/crdsem/crdsem/upgrade"
)

// printer returns the printer of the format.
func (u *upgrading) printer(screen *screen) (upgradePrinter, error) {
	switch u.output {
	case "text":
		return &upgradeText{out: screen, verbose: u.verbose}, nil
	case "json":
		return &upgradeJSON{out: screen}, nil
	case "markdown":
		return &upgradeMarkdown{out: screen}, nil
	}
	printer, err := output.New(u.output, screen, screen.style(u.verbose))
	return &upgradeResults{to: printer, fails: u.fails}, err
}

// upgradeJSON prints one object: {"definitions": [...], "objects": [...],
// "summary": {...}}.
type upgradeJSON struct {
	out  io.Writer
	list string // that is open
}

func (p *upgradeJSON) definition(c *comparison) error { return p.element("definitions", c) }

func (p *upgradeJSON) object(o *judgedObject) error { return p.element("objects", o) }

// element writes an element of a list.
func (p *upgradeJSON) element(list string, value any) error {
	separator := ",\n    "
	if p.list != list {
		separator = p.next() + "  \"" + list + "\": [\n    "
	}
	p.list = list
	return p.write(separator, value, "    ")
}

// next ends the list before, and starts the object.
func (p *upgradeJSON) next() string {
	if p.list == "" {
		return "{\n"
	}
	return "\n  ],\n"
}

func (p *upgradeJSON) write(before string, value any, prefix string) error {
	var b bytes.Buffer
	b.WriteString(before)
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent(prefix, "  ")
	if err := encoder.Encode(value); err != nil {
		return err
	}
	_, err := p.out.Write(bytes.TrimRight(b.Bytes(), "\n"))
	return err
}

func (p *upgradeJSON) close(s *upgradeSummary) error {
	if err := p.write(p.next()+"  \"summary\": ", s, "  "); err != nil {
		return err
	}
	_, err := io.WriteString(p.out, "\n}\n")
	return err
}

// upgradeResults prints in the formats of code scanners, test runners and
// GitHub: a result for each definition and for each object that is affected.
type upgradeResults struct {
	to      output.Printer
	fails   func(upgrade.Severity) bool
	summary verdict.Summary
}

func (p *upgradeResults) print(r *verdict.Result) error {
	p.summary.Add(r)
	return p.to.Print(r)
}

func (p *upgradeResults) definition(c *comparison) error {
	object, _, err := c.document.Object()
	if err != nil {
		return err
	}
	r := judge.NewResult(c.document, object)
	r.Definition = true
	if c.Removed {
		r.Verdict = verdict.Refused
		r.Findings = []verdict.Finding{{
			Severity: verdict.Error, Line: r.Line, Column: r.Column,
			Text: "removed, with all its objects",
		}}
	}
	if c.Report != nil {
		for _, change := range bySeverity(c.Changes) {
			if p.fails(change.Severity) {
				r.Verdict = verdict.Refused
			}
			r.Findings = append(r.Findings, changeFinding(c, object, change))
		}
	}
	return p.print(r)
}

// changeFinding returns a change with its place in the file of the new
// definition.
func changeFinding(c *comparison, crd map[string]any, change *upgrade.Change) verdict.Finding {
	path := change.Path
	if change.Version != "" {
		path = schemaOf(crd, change.Version) + change.SchemaPath()
	}
	at := c.document.Find(path).Key
	text := change.String() + notShown(change)
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

// schemaOf returns the path of a version's schema in a definition, with a dot
// at its end.
func schemaOf(crd map[string]any, version string) string {
	spec, _ := crd["spec"].(map[string]any)
	versions, _ := spec["versions"].([]any)
	for i, v := range versions {
		if v, _ := v.(map[string]any); v["name"] == version {
			return fmt.Sprintf("spec.versions[%d].schema.openAPIV3Schema.", i)
		}
	}
	return "spec.validation.openAPIV3Schema."
}

func (p *upgradeResults) object(o *judgedObject) error {
	r := o.result
	r.Findings = o.Findings
	if o.Definition != "" && p.fails(o.Severity) {
		r.Verdict = verdict.Refused
	}
	return p.print(r)
}

// close adds the counts of objects that are fine, which are not printed.
func (p *upgradeResults) close(s *upgradeSummary) error {
	printed := p.summary.Objects.Accepted
	total := 0
	for _, fates := range s.Objects {
		for _, n := range fates {
			total += n
		}
	}
	p.summary.Objects.Accepted = max(printed, total-p.summary.Objects.Refused)
	return p.to.Close(&p.summary)
}
