package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/crdsem/crdsem/celrules/check"
	"github.com/crdsem/crdsem/cmd/crdsem/internal/output"
	"github.com/crdsem/crdsem/internal/app/judge"
	"github.com/crdsem/crdsem/internal/app/verdict"
	"github.com/crdsem/crdsem/internal/kit/visible"
	"github.com/crdsem/crdsem/kit/manifest"
	"github.com/crdsem/crdsem/kit/upgrade"
)

// clusterItem returns the item of a definition in a cluster's upgrade.
func (u *upgrading) clusterItem(c *clusterDefinition, crd map[string]any) *output.Item {
	r := judge.NewResult(c.document, crd)
	r.Definition = true
	if c.ClusterReport == nil {
		r.Verdict = verdict.Unreadable
		r.Findings = []verdict.Finding{{
			Severity: verdict.Error, Line: r.Line, Column: r.Column, Text: c.Error,
		}}
	} else {
		if u.fails(c.Most()) {
			r.Verdict = verdict.Refused
		}
		for _, e := range effectsBySeverity(c.Effects) {
			r.Findings = append(r.Findings, effectFinding(c.document, e))
		}
	}
	return &output.Item{
		List: "definitions", Value: c, Result: r,
		Text:  func() string { return u.clusterText(c) },
		Table: c.table,
	}
}

// effectFinding returns an effect with its place in a file.
func effectFinding(doc *manifest.Document, e *upgrade.ClusterEffect) verdict.Finding {
	at := doc.Start()
	switch {
	case e.Kind == upgrade.EstimatedOtherwise:
		at = doc.Find(e.Path).Key
	case e.Err != nil && e.Witness == nil && e.Version == "":
		at = doc.Locate(e.Err)
	}
	f := verdict.Finding{
		Severity: levels[e.Severity], Line: at.Line, Column: at.Column, Field: e.Path,
		Text: effectText(e), Hint: e.Cure,
	}
	if e.Kind != upgrade.EstimatedOtherwise {
		f.Rule = e.Rule
	}
	for _, edit := range e.Edits {
		f.Edits = append(f.Edits, verdict.Edit(edit))
	}
	return f
}

// effectText returns an effect in a line, e.g. "1.38: the server refuses the
// definition as a new one: …".
func effectText(e *upgrade.ClusterEffect) string {
	where := "at " + e.Path
	if e.Path == "" || e.Path == "<nil>" {
		where = "at the object"
	}
	if len(e.Places) > 0 {
		where = fmt.Sprintf("at %d places, e.g. %s", len(e.Places), e.Path)
	}
	switch e.Kind {
	case upgrade.EstimatedOtherwise:
		return fmt.Sprintf("%s: estimates %s for the rule %s, was %s; the limit is %d", e.After,
			estimate(e.New), where, estimate(e.Old), check.RuleCostLimit)
	case upgrade.ChargedOtherwise:
		return fmt.Sprintf("%s: charges %s for the rules of an object, was %s",
			e.After, e.New, e.Old)
	case upgrade.WordedOtherwise:
		return fmt.Sprintf("%s: has another error %s: %s", e.After, where, wordings(e))
	case upgrade.JudgedOtherwise:
		if e.New == "" {
			return fmt.Sprintf("%s: accepts what was refused %s: %s", e.After, where,
				shorten(e.Old))
		}
		return fmt.Sprintf("%s: refuses what was accepted %s: %s", e.After, where, shorten(e.New))
	}
	text := fmt.Sprintf("%s: %s: %s", e.After, e.Kind.Meaning(), shorten(e.New+e.Old))
	if len(e.Places) > 1 {
		text += fmt.Sprintf("; and %d more", len(e.Places)-1)
	}
	return text
}

// estimate returns an estimated cost in words.
func estimate(cost string) string {
	if cost == fmt.Sprint(uint64(math.MaxUint64)) {
		return "an unbounded cost"
	}
	return cost
}

// wordings returns the texts of an error in two minors.
func wordings(e *upgrade.ClusterEffect) string {
	switch {
	case e.Old == "":
		return "also " + shorten(e.New)
	case e.New == "":
		return "no longer " + shorten(e.Old)
	}
	return shorten(e.New) + ", was " + shorten(e.Old)
}

// effectsBySeverity returns the effects, the most severe ones first.
func effectsBySeverity(effects []upgrade.ClusterEffect) []*upgrade.ClusterEffect {
	var sorted []*upgrade.ClusterEffect
	for _, severity := range severities {
		for i := range effects {
			if effects[i].Severity == severity {
				sorted = append(sorted, &effects[i])
			}
		}
	}
	return sorted
}

// clusterText returns what happens to a definition for people.
func (u *upgrading) clusterText(c *clusterDefinition) string {
	var b strings.Builder
	if c.ClusterReport == nil {
		visible.Printf(&b, "%s: not compared: %s\n", c.Name, c.Error)
		return b.String()
	}
	visible.Printf(&b, "%s: %s\n", c.Name, countEffects(c.Effects))
	written, told := 0, map[string]bool{}
	for _, e := range effectsBySeverity(c.Effects) {
		switch {
		case e.Severity == upgrade.Fine && !u.verbose:
		case written == mostCauses && !u.verbose:
			visible.Printf(&b, "  and %s; -v prints all\n", "more")
			return b.String()
		default:
			written++
			u.effectText(&b, e, told)
		}
	}
	return b.String()
}

// effectText writes an effect with its causes, its cure and its witness. A
// cause that was told has only its id.
func (u *upgrading) effectText(
	b *strings.Builder, e *upgrade.ClusterEffect, told map[string]bool,
) {
	visible.Printf(b, "  %-9s  %s\n", e.Severity, effectText(e))
	if e.Kind == upgrade.EstimatedOtherwise {
		visible.Printf(b, "            rule: %s\n", shorten(e.Rule))
	}
	for _, cause := range e.Causes {
		text := cause.ID
		if !told[text] {
			text += ": " + shorten(cause.Summary)
		}
		told[cause.ID] = true
		visible.Printf(b, "            cause: %s\n", text)
	}
	if e.Cure != "" {
		visible.Printf(b, "            cure: %s\n", e.Cure)
	}
	if e.Witness != nil {
		visible.Printf(b, "            e.g. %s\n", inline(withoutHead(e.Witness)))
	}
}

// countEffects says how many effects there are of each severity, and what those
// are that are fine.
func countEffects(effects []upgrade.ClusterEffect) string {
	counts := map[upgrade.Severity]int{}
	for i := range effects {
		counts[effects[i].Severity]++
	}
	var parts []string
	for _, severity := range severities {
		if n := counts[severity]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, severity))
		}
	}
	if len(parts) == 0 {
		return "no change"
	}
	return strings.Join(parts, ", ")
}

// table returns a definition for the comment of a pull request.
func (c *clusterDefinition) table() *output.Table {
	t := &output.Table{Heading: c.Name, Columns: []string{"severity", "effect", "cause", "cure"}}
	if c.ClusterReport == nil {
		t.Empty = "Not compared: " + c.Error
		return t
	}
	for _, e := range effectsBySeverity(c.Effects) {
		if e.Severity == upgrade.Fine {
			continue
		}
		var causes []string
		for _, cause := range e.Causes {
			causes = append(causes, cause.ID)
		}
		t.Rows = append(t.Rows, []string{
			string(e.Severity), output.Cell(effectText(e)),
			output.Cell(strings.Join(causes, ", ")), output.Cell(e.Cure),
		})
	}
	if len(t.Rows) == 0 {
		t.Empty = "No change that matters."
	}
	return t
}

// clusterObjectItem returns the item of an object in a cluster's upgrade. The
// first one has a heading.
func (u *upgrading) clusterObjectItem(o *clusterObject) *output.Item {
	if o.Definition != "" && u.fails(o.Severity) {
		o.result.Verdict = verdict.Refused
	}
	heading := ""
	if !u.hasObjects {
		heading = "objects:\n"
	}
	u.hasObjects = true
	return &output.Item{
		List: "objects", Value: o, Result: o.result,
		Text:  func() string { return heading + u.clusterObjectText(o) },
		Table: o.table,
	}
}

// clusterObjectText returns what happens to an object for people.
func (u *upgrading) clusterObjectText(o *clusterObject) string {
	var b strings.Builder
	if o.Error != "" {
		visible.Printf(&b, "  %s\n", o.Error)
		return b.String()
	}
	visible.Printf(&b, "  %s: %s: %s\n", o.At, o.Name, o.fates())
	for i := range o.Effects {
		e := &o.Effects[i]
		visible.Printf(&b, "    %-9s  %s\n", e.Severity, effectText(e))
		for _, cause := range e.Causes {
			visible.Printf(&b, "               cause: %s: %s\n", cause.ID, shorten(cause.Summary))
		}
	}
	return b.String()
}

// fates returns the fates of an object, e.g. "refused since 1.38, was
// unaffected".
func (o *clusterObject) fates() string {
	fates := slices.CompactFunc(slices.Clone(o.Fates), func(a, b upgrade.ClusterFate) bool {
		return a.Fate == b.Fate
	})
	last := fates[len(fates)-1]
	if len(fates) == 1 {
		return string(last.Fate) + ", as before"
	}
	return fmt.Sprintf("%s since %s, was %s", last.Fate, last.Kubernetes, fates[len(fates)-2].Fate)
}

// table returns a row for an object.
func (o *clusterObject) table() *output.Table {
	t := &output.Table{Heading: "Objects", Columns: []string{"object", "fate", "effects"}}
	if o.Error != "" {
		t.Rows = [][]string{{output.Cell(o.Error), "unreadable", ""}}
		return t
	}
	var effects []string
	for i := range o.Effects {
		effects = append(effects, output.Cell(effectText(&o.Effects[i])))
	}
	t.Rows = [][]string{{output.Cell(o.Name), o.fates(), strings.Join(effects, "<br>")}}
	return t
}
