package main

import (
	"fmt"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/crdsem/crdsem/upgrade"
)

// text returns the report for people: the changes by severity, the steps, and
// the objects.
func (u *upgrading) text(all []*comparison) string {
	var b strings.Builder
	for _, c := range all {
		switch {
		case c.Removed:
			fmt.Fprintf(&b, "%s: removed, with all its objects\n", c.Name)
			continue
		case c.Added:
			fmt.Fprintf(&b, "%s: added\n", c.Name)
			continue
		case len(c.Changes) == 0:
			fmt.Fprintf(&b, "%s: no change\n", c.Name)
		default:
			fmt.Fprintf(&b, "%s: %s\n", c.Name, countChanges(c.Changes))
		}
		for _, severity := range severities {
			for i := range c.Changes {
				if c.Changes[i].Severities.Most() == severity {
					u.change(&b, &c.Changes[i])
				}
			}
		}
		writeSteps(&b, c.Steps)
		u.objects(&b, c)
	}
	return b.String()
}

var severities = []upgrade.Severity{upgrade.Breaking, upgrade.Notable, upgrade.Fine}

// countChanges says how many changes there are of each severity, e.g.
// "2 breaking, 1 notable".
func countChanges(changes []upgrade.Change) string {
	counts := map[upgrade.Severity]int{}
	for i := range changes {
		counts[changes[i].Severities.Most()]++
	}
	var parts []string
	for _, severity := range severities {
		if n := counts[severity]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, severity))
		}
	}
	return strings.Join(parts, ", ")
}

func (u *upgrading) change(b *strings.Builder, c *upgrade.Change) {
	fmt.Fprintf(b, "  %-8s  %v%s\n", c.Severities.Most(), c, notShown(c))
	if c.Message != "" {
		fmt.Fprintf(b, "            %s\n", shorten(c.Message))
	}
	if c.Witness == nil {
		return
	}
	for _, verdict := range []struct{ side, message string }{
		{"old", c.Witness.Old}, {"new", c.Witness.New},
	} {
		if verdict.message != "" {
			fmt.Fprintf(b, "            %s: %s\n", verdict.side, shorten(verdict.message))
		}
	}
	if c.Class == upgrade.StoresOtherwise {
		fmt.Fprintf(b, "            stored: %s, now %s\n",
			inline(c.Witness.StoredOld), inline(c.Witness.StoredNew))
	}
	if u.verbose {
		text, err := yaml.Marshal(c.Witness.Object)
		if err == nil {
			fmt.Fprintf(b, "%s\n", indented(strings.TrimSuffix(string(text), "\n"), "            "))
		}
	} else {
		fmt.Fprintf(b, "            e.g. %s\n", inline(withoutHead(c.Witness.Object)))
	}
}

// notShown says that no witness was found, if one was looked for.
func notShown(c *upgrade.Change) string {
	if c.IsShown() {
		return ""
	}
	return fmt.Sprintf(" (not shown by %d objects)", c.Tries)
}

// withoutHead returns an object without apiVersion, kind and metadata.
func withoutHead(object map[string]any) map[string]any {
	rest := map[string]any{}
	for name, value := range object {
		if name != "apiVersion" && name != "kind" && name != "metadata" {
			rest[name] = value
		}
	}
	return rest
}

// inline returns a value as JSON in one line, cut where it is long.
func inline(v any) string {
	if v == nil {
		return "nothing"
	}
	text, err := yaml.Marshal(v)
	if err == nil {
		text, err = yaml.YAMLToJSON(text)
	}
	if err != nil {
		return fmt.Sprint(v)
	}
	return shorten(string(text))
}

// shorten cuts a text after 200 characters.
func shorten(text string) string {
	const most = 200
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "..."
	}
	return text
}

func indented(text, by string) string { return by + strings.ReplaceAll(text, "\n", "\n"+by) }

// writeSteps writes a procedure that has more than one step.
func writeSteps(b *strings.Builder, steps []upgrade.Step) {
	if len(steps) < 2 {
		return
	}
	b.WriteString("  steps:\n")
	for i, step := range steps {
		fmt.Fprintf(b, "  %d. %s (storedVersions: %s)\n",
			i+1, step.Text, strings.Join(step.StoredVersions, ", "))
	}
}

func (u *upgrading) objects(b *strings.Builder, c *comparison) {
	if c.Fates == nil {
		return
	}
	var parts []string
	for _, fate := range upgrade.Fates() {
		if n := c.Fates[fate]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, fate))
		}
	}
	if len(parts) == 0 {
		parts = []string{"none"}
	}
	fmt.Fprintf(b, "  stored objects: %s\n", strings.Join(parts, ", "))
	for _, object := range c.Objects {
		fmt.Fprintf(b, "  %s: %s: %s\n", object.At, object.Name, object.Fate)
		for _, finding := range object.Findings {
			fmt.Fprintf(b, "    %s\n", finding)
		}
	}
}

// upgradeMarkdown returns the report as the comment of a pull request.
func upgradeMarkdown(all []*comparison) string {
	var b strings.Builder
	b.WriteString("## Changes of definitions\n")
	for _, c := range all {
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
		if c.Report == nil {
			continue
		}
		for i, step := range c.Steps {
			if len(c.Steps) > 1 {
				fmt.Fprintf(&b, "%d. %s\n", i+1, step.Text)
			}
		}
		for _, fate := range upgrade.Fates() {
			if n := c.Fates[fate]; n > 0 {
				fmt.Fprintf(&b, "- stored objects %s: %d\n", fate, n)
			}
		}
	}
	return b.String()
}

func changesMarkdown(b *strings.Builder, changes []upgrade.Change) {
	b.WriteString("| severity | change | shown by |\n| --- | --- | --- |\n")
	for _, severity := range severities {
		for i := range changes {
			c := &changes[i]
			if c.Severities.Most() != severity {
				continue
			}
			shown := c.Message
			if c.Witness != nil {
				shown = inline(withoutHead(c.Witness.Object))
			} else if !c.IsShown() {
				shown = fmt.Sprintf("not shown by %d objects", c.Tries)
			}
			fmt.Fprintf(b, "| %s | %s | %s |\n", severity, cell(c.String()), cell(shown))
		}
	}
	b.WriteString("\n")
}

// cell escapes a text for a cell of a table.
func cell(text string) string {
	if text == "" {
		return ""
	}
	text = strings.NewReplacer("|", "\\|", "\n", " ").Replace(text)
	return "`" + strings.ReplaceAll(text, "`", "'") + "`"
}
