package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/crdsem/crdsem/upgrade"
)

// maxListed is the number of objects that a comment lists. A comment of GitHub
// has at most 65536 characters.
const maxListed = 50

// upgradeMarkdown prints the comment of a pull request.
type upgradeMarkdown struct {
	out     io.Writer
	started bool
	objects int // affected so far
}

// write writes a text. The heading comes first.
func (p *upgradeMarkdown) write(b *strings.Builder) error {
	if !p.started {
		p.started = true
		if _, err := io.WriteString(p.out, "## Changes of definitions\n"); err != nil {
			return err
		}
	}
	_, err := io.WriteString(p.out, b.String())
	return err
}

func (p *upgradeMarkdown) definition(c *comparison) error {
	var b strings.Builder
	fmt.Fprintf(&b, "\n### %s\n\n", c.Name)
	switch {
	case c.Removed:
		b.WriteString("Removed, with all its objects.\n")
	case c.Added:
		b.WriteString("Added.\n")
	case len(c.Changes) == 0:
		b.WriteString("No change.\n")
	default:
		changesMarkdown(&b, c.Changes)
	}
	if c.Report != nil && len(c.Steps) > 1 {
		b.WriteString("\n")
		for i, step := range c.Steps {
			fmt.Fprintf(&b, "%d. %s\n", i+1, step.Text)
		}
	}
	return p.write(&b)
}

func changesMarkdown(b *strings.Builder, changes []upgrade.Change) {
	b.WriteString("| severity | change | shown by |\n| --- | --- | --- |\n")
	for _, c := range merged(bySeverity(changes)) {
		shown := c.Message
		if c.Witness != nil {
			shown = witnessed(c.Witness)
		} else if !c.IsShown() {
			shown = fmt.Sprintf("not shown by %d objects", c.Tries)
		}
		fmt.Fprintf(b, "| %s | %s | %s |\n", c.Severity, cell(c.String()), cell(shown))
	}
}

func (p *upgradeMarkdown) object(o *judgedObject) error {
	var b strings.Builder
	if p.objects++; p.objects > maxListed {
		return nil
	}
	if p.objects == 1 {
		b.WriteString("\n### Stored objects\n\n| object | fate | findings |\n| --- | --- | --- |\n")
	}
	var findings []string
	for i := range o.Findings {
		findings = append(findings, cell(shorten(o.Findings[i].Text)))
	}
	name := o.Name
	if name == "" {
		name = o.At
	}
	fmt.Fprintf(&b, "| %s | %s | %s |\n", cell(name), o.Fate, strings.Join(findings, "<br>"))
	return p.write(&b)
}

func (p *upgradeMarkdown) close(s *upgradeSummary) error {
	var b strings.Builder
	if n := p.objects - maxListed; n > 0 {
		fmt.Fprintf(&b, "| and %d more | | |\n", n)
	}
	for i, line := range s.lines() {
		if i == 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "- %s\n", line)
	}
	return p.write(&b)
}

// cell escapes a text for a cell of a table.
func cell(text string) string {
	if text == "" {
		return ""
	}
	text = strings.NewReplacer("|", "\\|", "\n", " ").Replace(text)
	return "`" + strings.ReplaceAll(text, "`", "'") + "`"
}
