package crdtest

import (
	"io"

	"github.com/crdsem/crdsem/internal/kit/junit"
)

// WriteJUnit writes results as a report in the XML of JUnit, which CI systems
// read.
func WriteJUnit(out io.Writer, results []Result) error {
	var report junit.Report
	for i := range results {
		r := &results[i]
		c := &junit.Case{
			Suite: r.Suite, Name: r.Case, Took: junit.Seconds(r.Took), File: r.File, Line: r.Line,
		}
		switch {
		case r.Err != nil:
			c.Failure = &junit.Outcome{Message: "not as stated", Text: r.Err.Error()}
		case r.Skipped != "":
			c.Skipped = &junit.Outcome{Message: r.Skipped}
		}
		report.Add(c)
	}
	return report.Write(out)
}
