// Package junit defines reports in the XML of JUnit, which CI systems read.
package junit

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"time"
)

// Report is a report. Its suites come in the order of their first cases.
type Report struct {
	XMLName xml.Name `xml:"testsuites"`
	Name    string   `xml:"name,attr,omitempty"`
	counts
	Suites []*suite `xml:"testsuite"`

	byName map[string]*suite
}

type suite struct {
	Name string `xml:"name,attr"`
	counts
	Cases []*Case `xml:"testcase"`
}

// counts are the numbers of cases, and the time that they took.
type counts struct {
	Tests    int     `xml:"tests,attr"`
	Failures int     `xml:"failures,attr"`
	Errors   int     `xml:"errors,attr,omitempty"`
	Skipped  int     `xml:"skipped,attr"`
	Time     Seconds `xml:"time,attr"`
}

// Case is one case. At most one of Failure, Error and Skipped is set.
type Case struct {
	Suite   string   `xml:"classname,attr"`
	Name    string   `xml:"name,attr"`
	Took    Seconds  `xml:"time,attr"`
	File    string   `xml:"file,attr,omitempty"`
	Line    int      `xml:"line,attr,omitempty"`
	Failure *Outcome `xml:"failure"`
	Error   *Outcome `xml:"error"`
	Skipped *Outcome `xml:"skipped"`
	Out     string   `xml:"system-out,omitempty"`
}

// Outcome says why a case failed or was not run.
type Outcome struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
	Text    string `xml:",chardata"`
}

// Seconds is a time as JUnit writes it, e.g. 0.002500.
type Seconds time.Duration

// MarshalText writes the number of seconds.
func (s Seconds) MarshalText() ([]byte, error) {
	return fmt.Appendf(nil, "%.6f", time.Duration(s).Seconds()), nil
}

// Add adds a case to its suite.
func (r *Report) Add(c *Case) {
	s := r.byName[c.Suite]
	if s == nil {
		if r.byName == nil {
			r.byName = map[string]*suite{}
		}
		s = &suite{Name: c.Suite}
		r.byName[c.Suite] = s
		r.Suites = append(r.Suites, s)
	}
	s.Cases = append(s.Cases, c)
	r.count(c)
	s.count(c)
}

func (n *counts) count(c *Case) {
	n.Tests++
	n.Time += c.Took
	switch {
	case c.Failure != nil:
		n.Failures++
	case c.Error != nil:
		n.Errors++
	case c.Skipped != nil:
		n.Skipped++
	}
}

// Write writes the report.
func (r *Report) Write(out io.Writer) error {
	text, err := xml.MarshalIndent(r, "", "  ")
	_, failed := fmt.Fprintf(out, "%s%s\n", xml.Header, text)
	return cmp.Or(err, failed)
}
