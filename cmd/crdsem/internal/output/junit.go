package output

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/crdsem/crdsem/internal/app/verdict"
	"github.com/crdsem/crdsem/internal/kit/junit"
)

// junitPrinter prints the XML of JUnit: a suite for each file, and a test case
// for each document. The numbers come first, so that it prints at the end.
type junitPrinter struct {
	rest
	out    io.Writer
	report junit.Report
}

func newJUnit(c Config) Printer {
	return &junitPrinter{rest: rest{c.Err}, out: c.Out, report: junit.Report{Name: "crdsem"}}
}

func (p *junitPrinter) Print(item *Item) error {
	r := item.Result
	if r == nil {
		return nil
	}
	c := &junit.Case{
		Suite: cmp.Or(item.Suite, r.File), Name: item.Case, Took: junit.Seconds(item.Took),
		File: r.File, Line: r.Line,
	}
	if c.Name == "" {
		c.Name = caseName(r)
	}
	switch r.Verdict {
	case verdict.Refused:
		c.Failure = outcome(r, "refused")
	case verdict.Unreadable:
		c.Error = outcome(r, "unreadable")
	case verdict.NotJudged:
		c.Skipped = &junit.Outcome{Message: r.Reason.Text()}
	case verdict.Accepted:
		c.Out = plainFindings(r)
	}
	p.report.Add(c)
	return nil
}

// caseName returns a name that is unique in the file.
func caseName(r *verdict.Result) string {
	place := fmt.Sprintf("line %d", max(r.Line, 1))
	if r.Item != "" {
		place += " " + r.Item
	}
	return fmt.Sprintf("%s (%s)", cmp.Or(r.Subject(), "document"), place)
}

// outcome has the first error as its message, and all findings as its text.
func outcome(r *verdict.Result, kind string) *junit.Outcome {
	o := &junit.Outcome{Type: kind, Message: kind, Text: plainFindings(r)}
	for i := range r.Findings {
		if f := &r.Findings[i]; f.Severity == verdict.Error {
			o.Message, o.Type = f.Text, cmp.Or(f.Rule, kind)
			break
		}
	}
	return o
}

func plainFindings(r *verdict.Result) string {
	var b strings.Builder
	for i := range r.Findings {
		fmt.Fprintln(&b, findingLine(r, &r.Findings[i]))
	}
	for i := range r.Turns {
		fmt.Fprintln(&b, r.Turns[i].Text())
	}
	return b.String()
}

func (p *junitPrinter) Close() error { return p.report.Write(p.out) }
