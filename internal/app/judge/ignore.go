package judge

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"

	"github.com/crdsem/crdsem/internal/app/verdict"
	"github.com/crdsem/crdsem/manifest"
)

// Drop removes findings from a result. A document that was refused because of
// them only is accepted. It returns how many were removed.
func Drop(r *verdict.Result, drops func(*verdict.Finding) bool) int {
	before := len(r.Findings)
	r.Findings = slices.DeleteFunc(r.Findings, func(f verdict.Finding) bool { return drops(&f) })
	if n := before - len(r.Findings); n == 0 || r.Verdict != verdict.Refused ||
		slices.ContainsFunc(r.Findings, func(f verdict.Finding) bool {
			return f.Severity == verdict.Error
		}) {
		return n
	}
	r.Verdict, r.Refusal = verdict.Accepted, ""
	return before - len(r.Findings)
}

// IgnoreComments removes the findings of a result that comments of its document
// leave out, e.g. "# crdsem:ignore VAL-050 because". A comment that leaves out
// none is warned of; those about checks of lint are left to lint. It returns
// how many findings were removed.
func IgnoreComments(doc *manifest.Document, r *verdict.Result) int {
	if !bytes.Contains(doc.Data, []byte(ignoreComment)) || doc.Item != "" {
		return 0
	}
	type use struct {
		line int
		id   string
	}
	used := map[use]bool{}
	n := Drop(r, func(f *verdict.Finding) bool {
		line := 0
		if f.Rule != "" {
			line = ignoredBy(doc, f.Line, f.Rule)
		}
		used[use{line, f.Rule}] = line > 0
		return line > 0
	})
	f := &Finder{Document: doc}
	for i := range bytes.Count(doc.Data, []byte("\n")) + 1 {
		line := doc.Line + i
		for _, id := range ruleID.FindAllString(ignoredIn(doc.LineText(line)), -1) {
			if !used[use{line, id}] && !isLint(id) {
				at := manifest.Position{File: doc.File, Line: line, Column: 1}
				r.Findings = append(r.Findings, f.at(verdict.Warning, at,
					fmt.Sprintf("there is no finding of %s to ignore here", id)))
			}
		}
	}
	return n
}

var ruleID = regexp.MustCompile(`\b[A-Z]{3,4}-[A-Za-z0-9]+\b`)

func isLint(id string) bool { return len(id) > 5 && id[:5] == "LINT-" }
