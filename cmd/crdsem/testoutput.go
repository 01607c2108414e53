package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/crdsem/crdsem/cmd/crdsem/internal/output"
	"github.com/crdsem/crdsem/internal/app/verdict"
	"github.com/crdsem/crdsem/internal/kit/visible"
	"github.com/crdsem/crdsem/kit/crdtest"
)

// words returns where text for people is printed: the standard error, if the
// standard output is for machines.
func (c *tests) words(std streams) io.Writer {
	if c.output == "text" {
		return std.out
	}
	return std.err
}

// print prints the results of all cases, and their summary.
func (c *tests) print(printer output.Printer, results []crdtest.Result) error {
	for i := range results {
		if err := printer.Print(c.item(&results[i])); err != nil {
			return err
		}
	}
	summary := summaryOf(results)
	if err := printer.Add(&output.Member{Text: testMatrix(results)}); err != nil {
		return err
	}
	return printer.Add(output.SummaryOf(summary, summary.String()))
}

// item returns the item of a case.
func (c *tests) item(r *crdtest.Result) *output.Item {
	return &output.Item{
		List: "results", Value: newTestResult(r), Result: testVerdict(r),
		Suite: r.Suite, Case: r.Case, Took: r.Took,
		Text: func() string { return c.caseText(r) },
	}
}

// testVerdict returns a case as a document. One that is not as stated is
// refused.
func testVerdict(r *crdtest.Result) *verdict.Result {
	v := &verdict.Result{
		File: r.File, Line: r.Line, Name: r.Name(), Verdict: verdict.Accepted,
	}
	switch failure := failureOf(r); {
	case failure != nil:
		v.Verdict = verdict.Refused
		v.Findings = []verdict.Finding{{
			Severity: verdict.Error, Text: failure.Text, Line: failure.Line, Column: failure.Column,
		}}
	case r.Warning != nil:
		v.Findings = []verdict.Finding{{Severity: verdict.Warning, Text: r.Warning.Error()}}
	case r.Skipped != "":
		v.Verdict, v.Reason = verdict.NotJudged, verdict.Reason(r.Skipped)
	}
	return v
}

// addWritten prints a member whose text a function writes.
func addWritten(
	out output.Printer, name string, value any, write func(io.Writer) error,
) error {
	var b strings.Builder
	if err := write(&b); err != nil {
		return err
	}
	return out.Add(&output.Member{Name: name, Value: value, Text: b.String()})
}

// caseText returns a case that fails, and with -v any other one.
func (c *tests) caseText(r *crdtest.Result) string {
	var b strings.Builder
	switch {
	case r.Err != nil:
		text := strings.ReplaceAll(strings.TrimSpace(r.Err.Error()), "\n", "\n    ")
		visible.Printf(&b, "FAIL %s\n    %s\n", r.Name(), visible.Verbatim(text))
	case r.Warning != nil:
		text := strings.ReplaceAll(r.Warning.Error(), "\n", "\n    ")
		visible.Printf(&b, "warn %s\n    %s\n", r.Name(), visible.Verbatim(text))
	case !c.verbose:
	case r.Skipped != "":
		visible.Printf(&b, "skip %s: %s\n", r.Name(), r.Skipped)
	default:
		visible.Printf(&b, "ok   %s\n", r.Name())
	}
	return b.String()
}

// testResult is one case. Its outcome is passed, failed or skipped.
type testResult struct {
	Suite      string       `json:"suite"`
	Case       string       `json:"case"`
	Kubernetes string       `json:"kubernetes,omitempty"`
	File       string       `json:"file"`
	Line       int          `json:"line,omitempty"`
	Outcome    string       `json:"outcome"`
	Failure    *testFailure `json:"failure,omitempty"`
	Skipped    string       `json:"skipped,omitempty"`
	Warning    string       `json:"warning,omitempty"`
}

// testFailure is the difference from what a case states. Line and Column are
// the place in the file of the case; they are 0 if the text has another place.
type testFailure struct {
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`
	Text   string `json:"text"`
}

// testSummary has the numbers of cases.
type testSummary struct {
	Cases   int `json:"cases"`
	Passed  int `json:"passed"`
	Failed  int `json:"failed"`
	Skipped int `json:"skipped"`
}

func (s testSummary) String() string {
	return fmt.Sprintf("%d cases: %d passed, %d failed, %d skipped", s.Cases, s.Passed, s.Failed,
		s.Skipped)
}

// exitCode is that of the command: nothing is judged if no case was run.
func (s testSummary) exitCode() int {
	switch {
	case s.Failed > 0:
		return exitRefused
	case s.Passed == 0:
		return exitNotJudged
	default:
		return exitOK
	}
}
