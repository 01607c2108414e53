package main

import (
	"fmt"
	"io"

	"sigs.k8s.io/yaml"

	"github.com/crdsem/crdsem/cmd/crdsem/internal/output"
	"github.com/crdsem/crdsem/crdtest"
	"github.com/crdsem/crdsem/crdtest/coverage"
	"github.com/crdsem/crdsem/crdtest/mutation"
	"github.com/crdsem/crdsem/internal/app/verdict"
)

// testOutput prints what test says, in one format. Each method is called at
// most once, in this order.
type testOutput interface {
	results([]crdtest.Result) error
	coverage(*coverage.Report) error
	mutation(*mutation.Report) error
	close() error
}

// newOutput returns the output in the format of -o.
func (c *tests) newOutput(std streams) testOutput {
	switch c.output {
	case "json":
		return &testDocument{out: std.out, encode: encodeJSON}
	case "yaml":
		return &testDocument{out: std.out, encode: encodeYAML}
	default:
		return &testStream{out: std.out, words: c.words(std), write: c.writerOf()}
	}
}

// words returns where text for people is printed: the standard error, if the
// standard output is for machines.
func (c *tests) words(std streams) io.Writer {
	if c.output == "text" {
		return std.out
	}
	return std.err
}

// testStream prints results when they are there. Coverage and mutants are text.
type testStream struct {
	out, words io.Writer
	write      func(io.Writer, []crdtest.Result) error
}

func (s *testStream) results(list []crdtest.Result) error     { return s.write(s.out, list) }
func (s *testStream) coverage(found *coverage.Report) error   { return found.WriteText(s.words) }
func (s *testStream) mutation(mutants *mutation.Report) error { return mutants.WriteText(s.words) }
func (s *testStream) close() error                            { return nil }

// writerOf returns the function that writes results in a format other than JSON
// and YAML.
func (c *tests) writerOf() func(io.Writer, []crdtest.Result) error {
	switch c.output {
	case "junit":
		return crdtest.WriteJUnit
	case "github":
		return writeAnnotations
	case "sarif":
		return writeSARIF
	default:
		return c.writeText
	}
}

// writeAnnotations writes an annotation for each case that is not as stated,
// and the numbers of cases.
func writeAnnotations(out io.Writer, results []crdtest.Result) error {
	printer, err := output.New("github", out, output.Style{})
	if err != nil {
		return err
	}
	if err := printFailures(printer, results); err != nil {
		return err
	}
	return output.WriteNotice(out, summaryOf(results).String())
}

// writeSARIF writes the cases that are not as stated.
func writeSARIF(out io.Writer, results []crdtest.Result) error {
	printer, err := output.New("sarif", out, output.Style{})
	if err != nil {
		return err
	}
	if err := printFailures(printer, results); err != nil {
		return err
	}
	return printer.Close(&verdict.Summary{})
}

// printFailures prints cases that are not as stated as documents that are
// refused.
func printFailures(printer output.Printer, results []crdtest.Result) error {
	for i := range results {
		r := &results[i]
		failure := failureOf(r)
		if failure == nil {
			continue
		}
		err := printer.Print(&verdict.Result{
			File: r.File, Line: r.Line, Name: r.Name(), Verdict: verdict.Refused,
			Findings: []verdict.Finding{{
				Severity: verdict.Error, Text: failure.Text,
				Line: failure.Line, Column: failure.Column,
			}},
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// testDocument is the output as JSON or YAML. It is one document, which is
// printed at the end.
type testDocument struct {
	out    io.Writer
	encode func(io.Writer, *testReport) error
	report testReport
}

func (d *testDocument) results(list []crdtest.Result) error {
	d.report = newTestReport(list)
	return nil
}

func (d *testDocument) coverage(found *coverage.Report) error {
	d.report.Coverage = found
	return nil
}

func (d *testDocument) mutation(mutants *mutation.Report) error {
	d.report.Mutation = mutants
	return nil
}

func (d *testDocument) close() error { return d.encode(d.out, &d.report) }

func encodeJSON(out io.Writer, report *testReport) error { return writeJSON(out, report) }

func encodeYAML(out io.Writer, report *testReport) error {
	text, err := yaml.Marshal(report)
	if err != nil {
		return err
	}
	_, err = out.Write(text)
	return err
}

// testReport is the output of test as JSON and YAML.
type testReport struct {
	Results  []testResult     `json:"results"`
	Summary  testSummary      `json:"summary"`
	Coverage *coverage.Report `json:"coverage,omitempty"`
	Mutation *mutation.Report `json:"mutation,omitempty"`
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
	return fmt.Sprintf("%d cases: %d as stated, %d not, %d skipped", s.Cases, s.Passed, s.Failed,
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
