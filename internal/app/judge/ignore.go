package judge

import (
	"bytes"
	"cmp"
	"fmt"
	"iter"
	"maps"
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/app/repository"
	"github.com/crdsem/crdsem/internal/app/verdict"
	"github.com/crdsem/crdsem/internal/base/fieldpath"
	"github.com/crdsem/crdsem/kit/manifest"
)

// Drop removes findings from a result. A document that was refused because of
// them only is accepted, by each minor. It returns how many were removed.
func Drop(r *verdict.Result, drops func(*verdict.Finding) bool) int {
	before := len(r.Findings)
	isMarked := false // the first error is dropped
	r.Findings = slices.DeleteFunc(r.Findings, func(f verdict.Finding) bool {
		dropped := drops(&f)
		isMarked = isMarked || dropped && f.RulesUnchecked
		return dropped
	})
	n := before - len(r.Findings)
	for i := range r.Findings {
		if f := &r.Findings[i]; isMarked && f.Severity == verdict.Error && f.Type != "" {
			f.RulesUnchecked = true
			break
		}
	}
	if n == 0 || r.Verdict != verdict.Refused {
		return n
	}
	if !refusedBy(r, "") {
		r.Verdict, r.Refusal = verdict.Accepted, ""
	}
	verdicts := map[string]verdict.Verdict{}
	for i := range r.Minors {
		m := &r.Minors[i]
		if m.Verdict == verdict.Refused && !refusedBy(r, m.Kubernetes) {
			m.Verdict = verdict.Accepted
		}
		verdicts[m.Kubernetes] = m.Verdict
	}
	r.Turns = slices.DeleteFunc(r.Turns, func(t verdict.Turn) bool {
		return verdicts[t.Kubernetes] != t.Verdict || r.Verdict == verdict.Accepted
	})
	return n
}

// refusedBy reports whether a result has an error, in a minor unless it is
// empty.
func refusedBy(r *verdict.Result, minor string) bool {
	return slices.ContainsFunc(r.Findings, func(f verdict.Finding) bool {
		return f.Severity == verdict.Error &&
			(minor == "" || len(f.Kubernetes) == 0 || slices.Contains(f.Kubernetes, minor))
	})
}

// typeRule is the rule about the types of kind, apiVersion and metadata.
const typeRule = "META-022"

// AsPatch leaves only those findings of a result that hold for a part of an
// object, too: on unknown fields and on types. A document without any is not
// judged, for the reason.
func AsPatch(r *verdict.Result, reason verdict.Reason) {
	Drop(r, func(f *verdict.Finding) bool {
		return !isOfParts(f)
	})
	if r.Verdict == verdict.Refused {
		return
	}
	r.Verdict, r.Reason = verdict.NotJudged, reason
	for i := range r.Minors {
		r.Minors[i].Verdict = verdict.NotJudged
	}
}

// asUnknown is like [AsPatch] for an object whose values are replaced later: a
// text may become anything.
func asUnknown(r *verdict.Result, object map[string]any, reason verdict.Reason) {
	Drop(r, func(f *verdict.Finding) bool {
		value, _ := fieldpath.Value(object, cmp.Or(f.Path, f.Field))
		_, isText := value.(string)
		return isText && f.Type == string(field.ErrorTypeTypeInvalid)
	})
	AsPatch(r, reason)
}

// AsUndelivered leaves out of a refused result what the object lacks, because
// what delivers it may add that, or name a Namespace.
func AsUndelivered(r *verdict.Result) {
	if r.Verdict != verdict.Refused {
		return
	}
	n := Drop(r, func(f *verdict.Finding) bool {
		isNamed := r.Kind == "Namespace" && r.ByStructure && f.Field == nameField
		return f.Type == string(field.ErrorTypeRequired) || lacking.MatchString(f.Rule) || isNamed
	})
	if n == 0 || r.Verdict == verdict.Refused {
		return
	}
	r.Verdict, r.Reason = verdict.NotJudged, verdict.Undelivered
	for i := range r.Minors {
		r.Minors[i].Verdict = verdict.NotJudged
	}
}

const nameField = "metadata.name"

// lacking matches the rules that something that is missing breaks: those in
// CEL, and junctors.
var lacking = regexp.MustCompile(`^(CEL-|VAL-(09|100))`)

// LeaveOut removes the findings on values that are not known, and notes how
// many they are. causeOf returns why the value of a field is not known, for a
// rule.
func LeaveOut(r *verdict.Result, causeOf func(field, rule string) repository.Cause) {
	counts := map[repository.Cause]int{}
	n := Drop(r, func(f *verdict.Finding) bool {
		if f.Field == "" {
			return false
		}
		cause := causeOf(f.Field, f.Rule)
		counts[cause]++
		return cause != ""
	})
	if n == 0 {
		return
	}
	delete(counts, "")
	for _, cause := range slices.Sorted(maps.Keys(counts)) {
		r.Notes = append(r.Notes,
			fmt.Sprintf("findings left out on %s: %d", cause, counts[cause]))
	}
}

// IgnoreComments removes the findings of a result that comments of its document
// leave out, e.g. "# crdsem:ignore VAL-050 because". A comment that leaves out
// none is warned of; those about checks of lint are left to lint. It returns
// how many findings were removed.
func IgnoreComments(doc *manifest.Document, r *verdict.Result) int {
	n, used := DropCommented(doc, r)
	if used == nil {
		return 0
	}
	f := &Finder{Document: doc}
	for c := range comments(doc) {
		if !used[c] && !isLint(c.ID) {
			at := manifest.Position{File: doc.File, Line: c.Line, Column: 1}
			r.Findings = append(r.Findings, f.at(verdict.Warning, at,
				fmt.Sprintf("there is no finding of %s to ignore here", c.ID)))
		}
	}
	return n
}

// comments yields the comments that leave out findings.
func comments(doc *manifest.Document) iter.Seq[Comment] {
	return func(yield func(Comment) bool) {
		for i := range bytes.Count(doc.Data, []byte("\n")) + 1 {
			for _, id := range ruleID.FindAllString(ignoredIn(doc.LineText(doc.Line+i)), -1) {
				if !yield(Comment{doc.Line + i, id}) {
					return
				}
			}
		}
	}
}

// Comment is a comment that leaves out the findings of a rule.
type Comment struct {
	Line int
	ID   string
}

// DropCommented removes the findings of a result that comments of a document
// leave out. It returns how many they are, and the comments that did; nil if
// there are no comments.
func DropCommented(doc *manifest.Document, r *verdict.Result) (n int, used map[Comment]bool) {
	if !bytes.Contains(doc.Data, []byte(ignoreComment)) || doc.Item != "" {
		return 0, nil
	}
	used = map[Comment]bool{}
	comments := map[Comment]int{} // by the line of a finding: one line may have all
	n = Drop(r, func(f *verdict.Finding) bool {
		line, known := comments[Comment{f.Line, f.Rule}]
		if !known && f.Rule != "" {
			line = ignoredBy(doc, f.Line, f.Rule)
			comments[Comment{f.Line, f.Rule}] = line
		}
		used[Comment{line, f.Rule}] = line > 0
		return line > 0
	})
	return n, used
}

var ruleID = regexp.MustCompile(`\b[A-Z]{3,4}-[A-Za-z0-9]+\b`)

func isLint(id string) bool { return strings.HasPrefix(id, "LINT-") }
