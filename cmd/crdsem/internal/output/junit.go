package output

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/crdsem/crdsem/internal/app/verdict"
)

// junitPrinter prints the XML of JUnit: a suite for each file, and a test case
// for each document. The numbers come first, so that it prints at the end.
type junitPrinter struct {
	out    io.Writer
	suites []*junitSuite
}

type junitSuites struct {
	XMLName  xml.Name `xml:"testsuites"`
	Name     string   `xml:"name,attr"`
	Tests    int      `xml:"tests,attr"`
	Failures int      `xml:"failures,attr"`
	Errors   int      `xml:"errors,attr"`
	Skipped  int      `xml:"skipped,attr"`
	Suites   []*junitSuite
}

type junitSuite struct {
	XMLName  xml.Name `xml:"testsuite"`
	Name     string   `xml:"name,attr"`
	Tests    int      `xml:"tests,attr"`
	Failures int      `xml:"failures,attr"`
	Errors   int      `xml:"errors,attr"`
	Skipped  int      `xml:"skipped,attr"`
	Cases    []junitCase
}

type junitCase struct {
	XMLName   xml.Name      `xml:"testcase"`
	ClassName string        `xml:"classname,attr"`
	Name      string        `xml:"name,attr"`
	File      string        `xml:"file,attr"`
	Line      int           `xml:"line,attr,omitempty"`
	Failure   *junitOutcome `xml:"failure"`
	Error     *junitOutcome `xml:"error"`
	Skipped   *junitOutcome `xml:"skipped"`
	Out       string        `xml:"system-out,omitempty"`
}

type junitOutcome struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
	Text    string `xml:",chardata"`
}

func (p *junitPrinter) Print(r *verdict.Result) error {
	if last := len(p.suites) - 1; last < 0 || p.suites[last].Name != r.File {
		p.suites = append(p.suites, &junitSuite{Name: r.File})
	}
	suite := p.suites[len(p.suites)-1]
	c := junitCase{ClassName: r.File, Name: caseName(r), File: r.File, Line: r.Line}
	switch r.Verdict {
	case verdict.Refused:
		suite.Failures++
		c.Failure = outcome(r, "refused")
	case verdict.Unreadable:
		suite.Errors++
		c.Error = outcome(r, "unreadable")
	case verdict.NotJudged:
		suite.Skipped++
		c.Skipped = &junitOutcome{Message: r.Reason.Text()}
	case verdict.Accepted:
		c.Out = plainFindings(r)
	}
	suite.Tests++
	suite.Cases = append(suite.Cases, c)
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
func outcome(r *verdict.Result, kind string) *junitOutcome {
	o := &junitOutcome{Type: kind, Message: kind, Text: plainFindings(r)}
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

func (p *junitPrinter) Close(*verdict.Summary) error {
	all := junitSuites{Name: "crdsem", Suites: p.suites}
	for _, s := range p.suites {
		all.Tests += s.Tests
		all.Failures += s.Failures
		all.Errors += s.Errors
		all.Skipped += s.Skipped
	}
	w := writer{out: p.out}
	w.printf("%s", xml.Header)
	w.write(xml.MarshalIndent(&all, "", "  "))
	w.printf("\n")
	return w.err
}
