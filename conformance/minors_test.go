package conformance_test

import (
	"context"
	"os"
	"slices"
	"testing"

	"github.com/crdsem/crdsem/conformance/suite"
	"github.com/crdsem/crdsem/internal/evaluator"
)

// The library answers as each older minor, but for the known differences. A
// short run asks only the vectors whose answers differ between minors.
func TestMinors(t *testing.T) {
	vectors := loadVectors(t)
	if testing.Short() {
		vectors = slices.DeleteFunc(vectors,
			func(v suite.Vector) bool { return len(v.Until) == 0 })
	}
	doc, err := os.ReadFile("minor_differences.yaml")
	if err != nil {
		t.Fatal(err)
	}
	differences, err := suite.ParseKnownDifferences(doc)
	if err != nil {
		t.Fatal(err)
	}
	known := slices.Concat(knownDifferences(t), differences)
	known = slices.DeleteFunc(known, func(d suite.KnownDifference) bool {
		is := func(v suite.Vector) bool { return v.ID == d.ID }
		return testing.Short() && !slices.ContainsFunc(vectors, is)
	})
	for _, minor := range suite.Minors() {
		if minor == suite.Newest() {
			continue
		}
		asked, err := suite.Under(minor, vectors)
		if err != nil {
			t.Fatal(err)
		}
		lists := suite.Lists{Known: known.Under(minor)}
		report, err := suite.Run(context.Background(), asked,
			suite.NewHandler(evaluator.New()), lists)
		if err != nil {
			t.Fatal(err)
		}
		for _, result := range report.Unexcused() {
			t.Errorf("%s: %s %s (%s, %s): %s", minor, result.Outcome, result.ID, result.Rule,
				result.Level, result.Detail)
		}
		for _, stale := range report.Stale {
			t.Errorf("%s: %s", minor, stale)
		}
	}
}

// The minors with recorded answers are known to the library.
func TestRecordedMinorsAreKnown(t *testing.T) {
	for _, minor := range suite.Minors() {
		if !slices.Contains(evaluator.Hello().Kubernetes, minor) {
			t.Errorf("%s is not known", minor)
		}
	}
}
