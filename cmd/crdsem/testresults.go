package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/crdsem/crdsem/internal/kit/visible"
	"github.com/crdsem/crdsem/kit/crdtest"
	"github.com/crdsem/crdsem/kit/manifest"
)

// The outcomes of a case.
const (
	casePassed  = "passed"
	caseFailed  = "failed"
	caseSkipped = "skipped"
)

// outcomeOf returns the outcome of a case.
func outcomeOf(r *crdtest.Result) string {
	switch {
	case r.Err != nil:
		return caseFailed
	case r.Skipped != "":
		return caseSkipped
	default:
		return casePassed
	}
}

// newTestResult returns a case in the form of the output.
func newTestResult(r *crdtest.Result) *testResult {
	t := &testResult{
		Suite: r.Suite, Case: r.Case, Kubernetes: r.Kubernetes, File: r.File, Line: r.Line,
		Outcome: outcomeOf(r), Failure: failureOf(r), Skipped: r.Skipped,
	}
	if r.Warning != nil {
		t.Warning = r.Warning.Error()
	}
	return t
}

// summaryOf counts results.
func summaryOf(results []crdtest.Result) testSummary {
	s := testSummary{Cases: len(results)}
	for i := range results {
		switch outcomeOf(&results[i]) {
		case casePassed:
			s.Passed++
		case caseFailed:
			s.Failed++
		default:
			s.Skipped++
		}
	}
	return s
}

// failureOf returns why a case is not as stated, nil if it is. The text does
// not repeat the place in the file of the case.
func failureOf(r *crdtest.Result) *testFailure {
	if r.Err == nil {
		return nil
	}
	text := r.Err.Error()
	if at, ok := errors.AsType[*manifest.Error](r.Err); ok && at.File == r.File {
		if short, found := strings.CutPrefix(text, at.Position.String()+": "); found {
			return &testFailure{Line: at.Line, Column: at.Column, Text: short}
		}
	}
	return &testFailure{Text: text}
}

// testMatrix returns a table of the cases whose outcomes differ by minor: a row
// for each case, a column for each minor.
func testMatrix(results []crdtest.Result) string {
	var minors, names []string
	outcomes := map[string]map[string]string{} // by case and minor
	for i := range results {
		r := &results[i]
		if r.Kubernetes == "" {
			continue
		}
		if !slices.Contains(minors, r.Kubernetes) {
			minors = append(minors, r.Kubernetes)
		}
		name := strings.TrimSuffix(r.Suite, "/"+r.Kubernetes) + "/" + r.Case
		if outcomes[name] == nil {
			names = append(names, name)
			outcomes[name] = map[string]string{}
		}
		outcomes[name][r.Kubernetes] = outcomeWords[outcomeOf(r)]
	}
	slices.SortFunc(minors, compareMinors)
	var rows strings.Builder
	w := tabwriter.NewWriter(&rows, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "as stated on Kubernetes\t%s\n", strings.Join(minors, "\t"))
	differ := 0
	for _, name := range names {
		row := make([]string, len(minors))
		for i, minor := range minors {
			row[i] = outcomes[name][minor]
		}
		if len(slices.Compact(slices.Clone(row))) > 1 {
			differ++
			fmt.Fprintf(w, "%s\t%s\n", visible.Line(name), strings.Join(row, "\t"))
		}
	}
	if w.Flush() != nil || differ == 0 {
		return ""
	}
	return rows.String()
}

// outcomeWords are the outcomes of cases in a table. A case that is not run
// with a minor has an empty cell.
var outcomeWords = map[string]string{casePassed: "yes", caseFailed: "no", caseSkipped: "-"}

// compareMinors orders minors such as 1.9 and 1.31 by their numbers.
func compareMinors(a, b string) int {
	if len(a) != len(b) {
		return len(a) - len(b)
	}
	return strings.Compare(a, b)
}
