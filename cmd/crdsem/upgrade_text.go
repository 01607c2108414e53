package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/crdsem/crdsem/cmd/crdsem/internal/output"
	"github.com/crdsem/crdsem/internal/app/verdict"
	"github.com/crdsem/crdsem/internal/base/typemeta"
	"github.com/crdsem/crdsem/internal/kit/visible"
	"github.com/crdsem/crdsem/kit/manifest"
	"github.com/crdsem/crdsem/kit/upgrade"
)

// definitionText returns a comparison for people: the changes by severity, and
// the steps.
func (u *upgrading) definitionText(c *comparison) string {
	var b strings.Builder
	otherwise := ""
	if c.Apply != "" {
		otherwise = "; an apply differs"
	}
	switch {
	case c.Removed:
		visible.Printf(&b, "%s: %s\n", c.Name, removedText)
	case c.Added:
		visible.Printf(&b, "%s: added\n", c.Name)
	case len(c.Changes) == 0:
		visible.Printf(&b, "%s: no change%s\n", c.Name, otherwise)
	default:
		visible.Printf(&b, "%s: %s%s\n", c.Name, countChanges(c.Changes), otherwise)
	}
	if c.Report != nil {
		u.changesText(&b, merged(bySeverity(c.Changes)))
		if c.Apply != "" {
			visible.Printf(&b, "  %-9s  %s\n", upgrade.Notable, c.Apply)
		}
		if c.WebhookDecides {
			b.WriteString("  not judged: a conversion webhook decides what other versions store " +
				"and read; --webhook URL asks it\n")
		}
		writeSteps(&b, c.Steps)
	}
	return b.String()
}

// The numbers of lines for a definition, unless -v asks for all.
const (
	mostCauses    = 10 // that are breaking or undecided
	mostWitnessed = 2  // of them, with the object that shows it
	fewCauses     = 5  // of which all have it
)

// changesText writes the changes that matter, one line a cause. Notable causes
// share a line.
func (u *upgrading) changesText(b *strings.Builder, changes []*upgrade.Change) {
	if u.verbose {
		for _, change := range changes {
			u.changeText(b, change)
		}
		return
	}
	written, left := 0, 0
	var notable []string
	changes, behind := cutWebhook(changes)
	groups := upgrade.Groups(changes)
	hurting := len(slices.DeleteFunc(slices.Clone(groups), func(g *upgrade.Group) bool {
		return g.Severity == upgrade.Notable || g.Severity == upgrade.Fine
	}))
	for _, g := range groups {
		switch {
		case g.Severity == upgrade.Fine:
		case g.Severity == upgrade.Notable:
			notable = append(notable, u.groupSummary(g))
		case written == mostCauses:
			left++
		default:
			u.groupText(b, g, written < mostWitnessed || hurting <= fewCauses)
			written++
		}
	}
	if left > 0 {
		visible.Printf(b, "  and %s more; -v prints them\n", count(left, "cause"))
	}
	if len(notable) > 0 {
		more := ""
		if n := len(notable) - mostCauses; n > 0 {
			notable, more = notable[:mostCauses], fmt.Sprintf("; and %d more", n)
		}
		visible.Printf(b, "  %-9s  %s%s\n", upgrade.Notable, strings.Join(notable, "; "), more)
	}
	for _, line := range behind {
		visible.Printf(b, "  %-9s  %s\n", upgrade.Notable, line)
	}
}

// cutWebhook cuts the changes that a conversion webhook decides about. Each
// pair of versions has a line with the places that every write meets.
func cutWebhook(changes []*upgrade.Change) (others []*upgrade.Change, lines []string) {
	places := map[string][]string{}
	for _, c := range changes {
		if !c.Webhook {
			others = append(others, c)
			continue
		}
		pair := c.From + " to " + c.Version
		own := *c
		own.Webhook = false
		at := cmp.Or(c.Path, "the object")
		places[pair] = append(places[pair], at+": "+shorten(own.Words()))
	}
	for _, pair := range slices.Sorted(maps.Keys(places)) {
		list, more := places[pair], ""
		if n := len(list) - mostCauses; n > 0 {
			list, more = list[:mostCauses], fmt.Sprintf("; and %d more; -v prints them", n)
		}
		lines = append(lines, fmt.Sprintf("%s: the conversion webhook has to meet what every "+
			"write does: %s%s", pair, strings.Join(list, "; "), more))
	}
	return others, lines
}

// groupSummary returns a cause in a few words, e.g. "3 fields: a default is
// new".
func (u *upgrading) groupSummary(g *upgrade.Group) string {
	first := g.Changes[0]
	if len(g.Changes) == 1 {
		return shorten(u.placeOf(first) + ": " + g.Words)
	}
	return fmt.Sprintf("%d fields: %s", len(g.Changes), shorten(g.Words))
}

// placeOf returns the definition of a change, if there are several, with the
// version and the path.
func (u *upgrading) placeOf(c *upgrade.Change) string {
	if name := u.definitions[c]; name != "" {
		return name + " " + changedAt(c)
	}
	return changedAt(c)
}

// where returns the place of a cause: of one change, or of the first of
// several.
func (u *upgrading) where(g *upgrade.Group) string {
	at := u.placeOf(g.Changes[0])
	names := map[string]bool{}
	for _, c := range g.Changes {
		names[u.definitions[c]] = true
	}
	switch {
	case len(g.Changes) == 1:
		return at
	case len(names) > 1:
		return fmt.Sprintf("%d fields of %d definitions, e.g. %s", len(g.Changes), len(names), at)
	}
	return fmt.Sprintf("%d fields, e.g. %s", len(g.Changes), at)
}

// affected returns whom a cause hurts, e.g. "writers, readers".
func affected(g *upgrade.Group) string {
	var list []string
	for _, audience := range g.Affects {
		list = append(list, string(audience))
	}
	return strings.Join(list, ", ")
}

// changedAt returns the version and the path of a change.
func changedAt(c *upgrade.Change) string {
	at := c.Path
	if at == "" {
		at = "the object"
	}
	switch {
	case c.From != "":
		return fmt.Sprintf("%s to %s %s", c.From, c.Version, at)
	case c.Version != "":
		return c.Version + " " + at
	}
	return at
}

// groupText writes a cause: what changed, for whom, and where.
func (u *upgrading) groupText(b *strings.Builder, g *upgrade.Group, witnessed bool) {
	first := g.Changes[0]
	visible.Printf(b, "  %-9s  %s: %s [%s]%s\n", g.Severity, u.where(g), shorten(g.Words),
		affected(g), tried(first))
	if witnessed || first.Message != "" && len(g.Changes) == 1 {
		shown := *first
		if !witnessed {
			shown.Witness = nil
		}
		if strings.Contains(g.Words, shown.Message) {
			shown.Message = ""
		}
		u.detailsText(b, &shown)
	}
}

// bySeverity returns the changes, the most severe ones first.
func bySeverity(changes []upgrade.Change) []*upgrade.Change {
	var sorted []*upgrade.Change
	for _, severity := range severities {
		for i := range changes {
			if changes[i].Severity == severity {
				sorted = append(sorted, &changes[i])
			}
		}
	}
	return sorted
}

// merged joins the changes that are the same in several versions. Their
// versions are listed, e.g. "v1, v1beta1".
func merged(changes []*upgrade.Change) []*upgrade.Change {
	var list []*upgrade.Change
	first := map[string]*upgrade.Change{}
	for _, c := range changes {
		copied := *c
		copied.Version = ""
		key := fmt.Sprint(copied.String(), c.Severity, c.From, c.Message, c.Tries)
		if c.Witness != nil {
			key += witnessed(c.Witness)
		}
		if same := first[key]; same != nil && c.Version != "" {
			same.Version += ", " + c.Version
			continue
		}
		copied.Version = c.Version
		first[key] = &copied
		list = append(list, &copied)
	}
	return list
}

var severities = []upgrade.Severity{
	upgrade.Breaking, upgrade.Undecided, upgrade.Notable, upgrade.Fine,
}

// countChanges says how many changes there are of each severity, e.g.
// "2 breaking, 1 notable".
func countChanges(changes []upgrade.Change) string {
	counts := map[upgrade.Severity]int{}
	for i := range changes {
		counts[changes[i].Severity]++
	}
	var parts []string
	for _, severity := range severities {
		if n := counts[severity]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, severity))
		}
	}
	return strings.Join(parts, ", ")
}

func (u *upgrading) changeText(b *strings.Builder, c *upgrade.Change) {
	visible.Printf(b, "  %-9s  %v%s\n", c.Severity, c, tried(c))
	u.detailsText(b, c)
}

// detailsText writes what is known of a change: the reason of the policy, the
// message, and the object that shows it.
func (u *upgrading) detailsText(b *strings.Builder, c *upgrade.Change) {
	if c.Reason != "" {
		visible.Printf(b, "            policy: %s\n", shorten(c.Reason))
	}
	if c.Message != "" {
		visible.Printf(b, "            %s\n", shorten(c.Message))
	}
	if c.Witness == nil {
		return
	}
	for _, verdict := range []struct{ side, message string }{
		{"old", c.Witness.Old}, {"new", c.Witness.New},
	} {
		if verdict.message != "" {
			visible.Printf(b, "            %s: %s\n", verdict.side, shorten(verdict.message))
		}
	}
	if c.Class == upgrade.ChangesStorage {
		visible.Printf(b, "            stored: %s, now %s\n",
			storedText(c.Witness.StoredOld), storedText(c.Witness.StoredNew))
	}
	if u.verbose {
		for _, object := range []map[string]any{c.Witness.Object, c.Witness.Replaces} {
			text, err := output.YAML(object)
			if err == nil && object != nil {
				item := "- " + strings.ReplaceAll(string(text), "\n", "\n  ")
				whole := visible.Verbatim(indented(item, "            "))
				visible.Printf(b, "%s\n", whole)
			}
		}
	} else {
		visible.Printf(b, "            e.g. %s\n", witnessed(c.Witness))
	}
}

// tried says how many objects do not show an undecided change.
func tried(c *upgrade.Change) string {
	if c.Severity != upgrade.Undecided {
		return ""
	}
	return fmt.Sprintf(" (shown by none of %s)", count(c.Tries, "object"))
}

// storedText returns values that are stored at a field, "nothing" if there are
// none.
func storedText(values []any) string {
	switch len(values) {
	case 0:
		return "nothing"
	case 1:
		return inline(values[0])
	}
	return inline(values)
}

// witnessed returns a witness in one line, and what it replaces.
func witnessed(w *upgrade.Witness) string {
	text := inline(withoutHead(w.Object))
	if w.Replaces != nil {
		text += ", which replaces " + inline(withoutHead(w.Replaces))
	}
	return text
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
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return fmt.Sprint(v)
	}
	return shorten(strings.TrimSuffix(b.String(), "\n"))
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
		visible.Printf(b, "  %d. %s (storedVersions: %s)\n",
			i+1, step.Text, strings.Join(step.StoredVersions, ", "))
	}
}

// text returns an object and its findings for people.
func (o *judgedObject) text() string {
	var b strings.Builder
	visible.Printf(&b, "  %s: %s\n", o.At, describeObject(o))
	for i := range o.Findings {
		visible.Printf(&b, "    %s\n", placedFinding(o, &o.Findings[i]))
	}
	return b.String()
}

// describeObject returns the name of an object and its fate, e.g.
// "Pool prod/large: ratcheted".
func describeObject(o *judgedObject) string {
	fate := string(o.Fate)
	if o.Definition != "" && o.Fate != upgrade.Unaffected && o.Severity == upgrade.Fine &&
		o.Before == o.Fate {
		fate += ", as before"
	}
	if o.Definition != "" && !o.isOwnVersion() {
		fate += " through " + o.Version
	}
	if o.Name == "" {
		return fate
	}
	return o.Name + ": " + fate
}

// isOwnVersion reports whether the judgement is that of the version in which
// the object was given.
func (o *judgedObject) isOwnVersion() bool {
	_, own := typemeta.Split(o.result.APIVersion)
	return o.Version == "" || o.Version == own
}

// placedFinding returns a finding with its place.
func placedFinding(o *judgedObject, f *verdict.Finding) string {
	at := manifest.Position{File: o.result.File, Line: f.Line, Column: f.Column}
	return fmt.Sprintf("%v: %s", at, f.Text)
}

// end prints the summary.
func (s *upgradeSummary) end(printer output.Printer) error {
	var b strings.Builder
	for _, line := range s.lines() {
		visible.Printf(&b, "%s\n", line)
	}
	m := &output.Member{Name: output.Summary, Value: s, Text: b.String()}
	if err := printer.Add(m); err != nil {
		return err
	}
	return printer.Close()
}

// lines returns the summary in words.
func (s *upgradeSummary) lines() []string {
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(s.Objects)) {
		lines = append(lines, name+": "+countFates(s.Objects[name]))
	}
	if len(s.NotJudged) > 0 {
		var kinds []string
		for _, kind := range slices.Sorted(maps.Keys(s.NotJudged)) {
			kinds = append(kinds, fmt.Sprintf("%d %s", s.NotJudged[kind], kind))
		}
		lines = append(lines, "not judged, no such definition is compared: "+
			shorten(strings.Join(kinds, ", ")))
	}
	if s.Unreadable > 0 {
		lines = append(lines, count(s.Unreadable, "document")+" could not be read")
	}
	if s.Unread > 0 {
		lines = append(lines, count(s.Unread, "input")+" could not be read")
	}
	return lines
}
