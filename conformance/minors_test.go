package conformance_test

import (
	"context"
	"slices"
	"testing"

	"github.com/crdsem/crdsem/conformance/suite"
	"github.com/crdsem/crdsem/internal/evaluator"
)

// The library answers as each older minor that it knows, but for the known
// differences. A short run asks only the vectors whose answers differ between
// minors.
func TestMinors(t *testing.T) {
	vectors := loadVectors(t)
	if testing.Short() {
		vectors = slices.DeleteFunc(vectors,
			func(v suite.Vector) bool { return len(v.Until) == 0 })
	}
	known := knownDifferences(t)
	for _, minor := range evaluator.Hello().Kubernetes {
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

// The minors that the library knows have recorded answers.
func TestKnownMinorsAreRecorded(t *testing.T) {
	for _, minor := range evaluator.Hello().Kubernetes {
		if !slices.Contains(suite.Minors(), minor) {
			t.Errorf("%s: no answers are recorded", minor)
		}
	}
}
