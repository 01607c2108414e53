package verdict

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/crdsem/crdsem/internal/kit/visible"
	"github.com/crdsem/crdsem/minors"
)

// Text returns the reason in words.
func (r Reason) Text() string {
	switch r {
	case NoDefinition:
		return "no definition of this kind was given"
	case BuiltIn:
		return "built into Kubernetes"
	case NoObject:
		return "not a Kubernetes object"
	case Template:
		return "a template: render it first"
	case ToolFile:
		return "read by a tool, not by a server"
	case Patch:
		return "a patch of kustomize"
	case Patched:
		return "changed or deleted by kustomize, Flux or Argo CD"
	case Undelivered:
		return "incomplete, and delivered by nothing"
	case Skipped:
		return "skipped by the configuration"
	case DefinitionRefused:
		return "its definition is refused"
	case WebhookDecides:
		return "a conversion webhook decides"
	}
	return string(r)
}

// Text returns the summary in words. Kinds that were not judged have a line for
// each reason.
func (s *Summary) Text() string {
	var b strings.Builder
	objects, definitions := s.Objects.Total(), s.Definitions.Total()
	if objects > 0 || definitions == 0 {
		fmt.Fprint(&b, s.Objects.text("object", objects))
	}
	if definitions > 0 {
		if objects > 0 {
			fmt.Fprint(&b, "; ")
		}
		fmt.Fprint(&b, s.Definitions.text("definition", definitions))
	}
	if s.Unread > 0 {
		fmt.Fprintf(&b, "; %s could not be read", count(s.Unread, "input"))
	}
	if s.Ignored > 0 {
		fmt.Fprintf(&b, "; %s ignored", count(s.Ignored, "finding"))
	}
	if s.SkippedFiles > 0 {
		fmt.Fprintf(&b, "; %s skipped", count(s.SkippedFiles, "file"))
	}
	if s.ByStructure > 0 {
		fmt.Fprintf(&b, "\n%s validated by structure, not by Kubernetes' own validation",
			count(s.ByStructure, "built-in object"))
	}
	for _, reason := range slices.Sorted(maps.Keys(s.NotJudged)) {
		fmt.Fprintf(&b, "\nnot judged, %s: %s", reason.Text(), listKinds(s.NotJudged[reason]))
		if reason == WebhookDecides {
			b.WriteString(asksWebhook)
		}
	}
	if s.Webhook > 0 {
		fmt.Fprintf(&b, "\nnot judged, a conversion webhook decides what is stored: %s%s",
			count(s.Webhook, "object"), asksWebhook)
	}
	newest := minors.Newest().String()
	if len(s.Kubernetes) > 0 && !slices.Equal(s.Kubernetes, []string{newest}) {
		fmt.Fprintf(&b, "\nKubernetes: %s", strings.Join(s.Kubernetes, ", "))
	}
	if s.FieldValidation != "" {
		fmt.Fprintf(&b, "\nfield validation: %s", s.FieldValidation)
	}
	return b.String()
}

// listKinds lists kinds with their numbers, the most frequent first.
func listKinds(kinds map[string]int) string {
	names := slices.SortedFunc(maps.Keys(kinds), func(a, b string) int {
		if kinds[a] != kinds[b] {
			return kinds[b] - kinds[a]
		}
		return strings.Compare(a, b)
	})
	var parts []string
	for _, name := range names {
		if len(parts) == maxKinds && len(names) > maxKinds+1 {
			parts = append(parts, fmt.Sprintf("and %d more kinds", len(names)-maxKinds))
			break
		}
		part := fmt.Sprint(kinds[name])
		switch {
		case name != "":
			part += " " + visible.Line(name)
		case len(names) > 1: // e.g. a patch in JSON 6902
			part += " without a kind"
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, ", ")
}

// asksWebhook ends a line about what a conversion webhook decides.
const asksWebhook = "; --webhook URL asks it"

// maxKinds is the number of kinds that a line of the summary lists.
const maxKinds = 8

// Total returns the number of all verdicts.
func (c *Counts) Total() int { return c.Accepted + c.Refused + c.NotJudged + c.Unreadable }

// Number returns the number of all verdicts with its noun, e.g. "3 objects".
func (c *Counts) Number(noun string) string { return count(c.Total(), noun) }

// text returns the numbers, e.g. "3 objects: 2 accepted, 1 refused".
func (c *Counts) text(what string, n int) string {
	text := fmt.Sprintf("%s: %d accepted, %d refused", count(n, what), c.Accepted, c.Refused)
	if c.Unreadable > 0 {
		text += fmt.Sprintf(", %d unreadable", c.Unreadable)
	}
	if c.NotJudged > 0 {
		text += fmt.Sprintf(", %d not judged", c.NotJudged)
	}
	return text
}

// count returns a number with its noun.
func count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprint(n, " ", noun)
}

// Follows reports whether a minor is the next one after another, e.g. 1.32
// after 1.31. Both must be known.
func Follows(minor, before string) bool {
	index := func(text string) int {
		return slices.IndexFunc(minors.All(), func(known minors.Minor) bool {
			return known.String() == text
		})
	}
	return index(minor) == index(before)+1
}

// Text returns the turn in words, e.g. "needs Kubernetes >= 1.32
// (32-format-new: New expressions have the library of named formats)".
func (t *Turn) Text() string {
	text := "refused since Kubernetes " + t.Kubernetes
	switch {
	case t.Before != "":
		text = fmt.Sprintf("%s on Kubernetes %s, but not on %s", t.Verdict, t.Kubernetes, t.Before)
	case t.Verdict == Accepted && t.Final:
		text = "needs Kubernetes >= " + t.Kubernetes
	case t.Verdict == Accepted:
		text = "accepted since Kubernetes " + t.Kubernetes
	}
	const few = 2
	var causes []string
	for _, c := range t.likely() {
		causes = append(causes, c.ID+": "+strings.TrimSuffix(c.Summary, "."))
	}
	switch n := len(causes); {
	case n > few:
		text += fmt.Sprintf(" (%s; or one of %d more changes, which -o json lists)",
			strings.Join(causes[:few], "; "), n-few)
	case n > 0:
		text += " (" + strings.Join(causes, "; ") + ")"
	}
	return text
}

// likely returns the changes of the rule that the reason breaks, or all if none
// is.
func (t *Turn) likely() []Change {
	var found []Change
	for _, c := range t.Changes {
		if t.Rule != "" && slices.Contains(c.Rules, t.Rule) {
			found = append(found, c)
		}
	}
	if len(found) == 0 {
		return t.Changes
	}
	return found
}
