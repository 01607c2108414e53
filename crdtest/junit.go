package crdtest

import (
	"encoding/xml"
	"fmt"
	"io"
	"time"
)

type junitSuites struct {
	XMLName  xml.Name      `xml:"testsuites"`
	Tests    int           `xml:"tests,attr"`
	Failures int           `xml:"failures,attr"`
	Skipped  int           `xml:"skipped,attr"`
	Time     string        `xml:"time,attr"`
	Suites   []*junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Time     string      `xml:"time,attr"`
	Cases    []junitCase `xml:"testcase"`

	took time.Duration
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Time    string        `xml:"time,attr"`
	File    string        `xml:"file,attr,omitempty"`
	Line    int           `xml:"line,attr,omitempty"`
	Failure *junitFailure `xml:"failure"`
	Skipped *junitSkipped `xml:"skipped"`
}

type junitFailure struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

type junitSkipped struct {
	Message string `xml:"message,attr"`
}

// WriteJUnit writes results as a report in the XML of JUnit, which CI systems
// read.
func WriteJUnit(out io.Writer, results []Result) error {
	report := &junitSuites{}
	byName := map[string]*junitSuite{}
	var total time.Duration
	for i := range results {
		r := &results[i]
		suite := byName[r.Suite]
		if suite == nil {
			suite = &junitSuite{Name: r.Suite}
			byName[r.Suite] = suite
			report.Suites = append(report.Suites, suite)
		}
		suite.add(r)
		total += r.Took
	}
	for _, suite := range report.Suites {
		suite.Time = seconds(suite.took)
		report.Tests += suite.Tests
		report.Failures += suite.Failures
		report.Skipped += suite.Skipped
	}
	report.Time = seconds(total)
	if _, err := io.WriteString(out, xml.Header); err != nil {
		return err
	}
	encoder := xml.NewEncoder(out)
	encoder.Indent("", "  ")
	if err := encoder.Encode(report); err != nil {
		return err
	}
	_, err := io.WriteString(out, "\n")
	return err
}

func (s *junitSuite) add(r *Result) {
	c := junitCase{Class: r.Suite, Name: r.Case, Time: seconds(r.Took), File: r.File, Line: r.Line}
	s.Tests++
	s.took += r.Took
	switch {
	case r.Err != nil:
		s.Failures++
		c.Failure = &junitFailure{Message: "not as stated", Text: r.Err.Error()}
	case r.Skipped != "":
		s.Skipped++
		c.Skipped = &junitSkipped{r.Skipped}
	}
	s.Cases = append(s.Cases, c)
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.6f", d.Seconds()) }
