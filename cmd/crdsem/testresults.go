package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/crdsem/crdsem/cmd/crdsem/internal/output"
	"github.com/crdsem/crdsem/crdtest"
	"github.com/crdsem/crdsem/internal/verdict"
)

// testResult is the JSON output of test for one case.
type testResult struct {
	Suite      string `json:"suite"`
	Case       string `json:"case"`
	Kubernetes string `json:"kubernetes,omitempty"`
	File       string `json:"file"`
	Line       int    `json:"line,omitempty"`
	Passed     bool   `json:"passed"`
	Failure    string `json:"failure,omitempty"`
	Skipped    string `json:"skipped,omitempty"`
}

// print prints the results.
func (c *tests) print(out io.Writer, results []crdtest.Result) error {
	switch c.output {
	case "text":
		_, err := io.WriteString(out, c.text(results))
		return err
	case "json":
		list := make([]testResult, len(results))
		for i, r := range results {
			list[i] = testResult{
				Suite: r.Suite, Case: r.Case, Kubernetes: r.Kubernetes, File: r.File, Line: r.Line,
				Passed: r.Err == nil && r.Skipped == "", Skipped: r.Skipped,
			}
			if r.Err != nil {
				list[i].Failure = r.Err.Error()
			}
		}
		return writeJSON(out, list)
	}
	printer, err := output.New(c.output, out, output.Style{})
	if err != nil {
		return err
	}
	list := make([]*verdict.Result, len(results))
	for i := range results {
		list[i] = caseResult(&results[i])
	}
	return output.PrintAll(printer, list)
}

// caseResult returns a case as a result: one that passes is accepted, one that
// fails is refused.
func caseResult(r *crdtest.Result) *verdict.Result {
	out := &verdict.Result{File: r.File, Line: r.Line, Name: r.Name(), Verdict: verdict.Accepted}
	switch {
	case r.Err != nil:
		out.Verdict = verdict.Refused
		out.Findings = []verdict.Finding{{
			Severity: verdict.Error, Line: r.Line, Text: r.Err.Error(),
		}}
	case r.Skipped != "":
		out.Verdict, out.Reason = verdict.NotJudged, verdict.NoDefinition
	}
	return out
}

// text returns the results in words: cases that fail, the minors on which
// outcomes differ, and a summary.
func (c *tests) text(results []crdtest.Result) string {
	var b strings.Builder
	failed, skipped := 0, 0
	for i := range results {
		r := &results[i]
		switch {
		case r.Err != nil:
			failed++
			text := strings.ReplaceAll(strings.TrimSpace(r.Err.Error()), "\n", "\n    ")
			fmt.Fprintf(&b, "FAIL %s\n    %s\n", r.Name(), text)
		case r.Skipped != "":
			skipped++
			if c.verbose {
				fmt.Fprintf(&b, "skip %s: %s\n", r.Name(), r.Skipped)
			}
		case c.verbose:
			fmt.Fprintf(&b, "ok   %s\n", r.Name())
		}
	}
	testMatrix(&b, results)
	fmt.Fprintf(&b, "%d cases: %d as stated, %d not, %d skipped\n", len(results),
		len(results)-failed-skipped, failed, skipped)
	return b.String()
}

// testMatrix writes a table of the cases whose outcomes differ by minor: a row
// for each case, a column for each minor.
func testMatrix(b *strings.Builder, results []crdtest.Result) {
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
		outcomes[name][r.Kubernetes] = outcomeWord(r)
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
			fmt.Fprintf(w, "%s\t%s\n", name, strings.Join(row, "\t"))
		}
	}
	if w.Flush() == nil && differ > 0 {
		b.WriteString(rows.String())
	}
}

// outcomeWord is the outcome of a case in a table. A case that is not run with
// a minor has an empty cell.
func outcomeWord(r *crdtest.Result) string {
	switch {
	case r.Err != nil:
		return "no"
	case r.Skipped != "":
		return "-"
	default:
		return "yes"
	}
}

// compareMinors orders minors such as 1.9 and 1.31 by their numbers.
func compareMinors(a, b string) int {
	if len(a) != len(b) {
		return len(a) - len(b)
	}
	return strings.Compare(a, b)
}
