package conformance_test

import (
	"os"
	"slices"
	"testing"

	"github.com/crdsem/crdsem/internal/app/evaluator"
	"github.com/crdsem/crdsem/internal/app/evaluator/whole"
	"github.com/crdsem/crdsem/internal/test/suite"
	"github.com/crdsem/crdsem/internal/test/vectors"
)

// The library answers as each other minor, but for the known differences. A
// short run asks only the vectors whose answers differ between minors. Heavy
// vectors are asked in the oldest one and where their answer changes.
func TestMinors(t *testing.T) {
	all := loadVectors(t)
	if testing.Short() {
		all = slices.DeleteFunc(all,
			func(v suite.Vector) bool { return len(v.Until) == 0 && v.Next == nil })
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
		return testing.Short() && !slices.ContainsFunc(all, is)
	})
	former := ""
	for _, minor := range withBeta() {
		before := former
		former = minor
		if minor == suite.Newest() {
			continue
		}
		asked := slices.DeleteFunc(slices.Clone(all), func(v suite.Vector) bool {
			return vectors.IsHeavy(v.ID) && before != "" && !changesAfter(v, before, minor)
		})
		t.Run(minor, func(t *testing.T) {
			t.Parallel()
			judgeMinor(t, minor, asked, known.Under(minor))
		})
	}
}

// withBeta returns the minors with recorded answers, and the next one if it is
// a beta.
func withBeta() []string {
	return slices.DeleteFunc(append(suite.Minors(), suite.Beta()),
		func(minor string) bool { return minor == "" })
}

// changesAfter reports whether the answer to a vector changes after one of two
// minors, or before a beta.
func changesAfter(v suite.Vector, minors ...string) bool {
	if v.Next != nil && slices.Contains(minors, v.Next.Kubernetes) {
		return true
	}
	return slices.ContainsFunc(v.Until,
		func(u suite.Until) bool { return slices.Contains(minors, u.Kubernetes) })
}

// judgeMinor reports the vectors whose answers are not those of a minor, and
// the known differences that are none.
func judgeMinor(
	t *testing.T, minor string, all []suite.Vector, known suite.KnownDifferences,
) {
	asked, err := suite.Under(minor, all)
	if err != nil {
		t.Fatal(err)
	}
	report, err := suite.Run(t.Context(), asked, suite.NewHandler(whole.New()),
		suite.Lists{Known: known})
	if err != nil {
		t.Fatal(err)
	}
	for _, result := range report.Unexcused() {
		t.Errorf("%s %s (%s, %s): %s", result.Outcome, result.ID, result.Rule, result.Level,
			result.Detail)
	}
	for _, stale := range report.Stale {
		t.Error(stale)
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

// Every minor was asked every vector.
func TestMinorsWereAsked(t *testing.T) {
	for _, v := range loadVectors(t) {
		for _, minor := range withBeta() {
			if len(v.For(minor)) == 0 {
				t.Errorf("%s has no answer of %s", v.ID, minor)
			}
		}
	}
}
