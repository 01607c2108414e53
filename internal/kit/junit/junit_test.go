package junit_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/internal/kit/junit"
)

const want = `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="all" tests="5" failures="1" errors="1" skipped="1" time="1.750000">
  <testsuite name="b" tests="3" failures="1" skipped="0" time="1.500000">
    <testcase classname="b" name="passes" time="1.500000" file="b.yaml" line="7"></testcase>
    <testcase classname="b" name="fails" time="0.000000">
      <failure message="no" type="T">a &lt; b</failure>
    </testcase>
    <testcase classname="b" name="prints" time="0.000000">
      <system-out>out</system-out>
    </testcase>
  </testsuite>
  <testsuite name="a" tests="2" failures="0" errors="1" skipped="1" time="0.250000">
    <testcase classname="a" name="breaks" time="0.250000">
      <error message="broken"></error>
    </testcase>
    <testcase classname="a" name="waits" time="0.000000">
      <skipped message="later"></skipped>
    </testcase>
  </testsuite>
</testsuites>
`

func report() *junit.Report {
	r := &junit.Report{Name: "all"}
	for _, c := range []*junit.Case{
		{Suite: "b", Name: "passes", Took: junit.Seconds(1500 * time.Millisecond),
			File: "b.yaml", Line: 7},
		{Suite: "a", Name: "breaks", Took: junit.Seconds(250 * time.Millisecond),
			Error: &junit.Outcome{Message: "broken"}},
		{Suite: "b", Name: "fails",
			Failure: &junit.Outcome{Message: "no", Type: "T", Text: "a < b"}},
		{Suite: "a", Name: "waits", Skipped: &junit.Outcome{Message: "later"}},
		{Suite: "b", Name: "prints", Out: "out"},
	} {
		r.Add(c)
	}
	return r
}

// Suites come in the order of their first cases, with their counts.
func TestWrite(t *testing.T) {
	var out strings.Builder
	if err := report().Write(&out); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

var errFull = errors.New("full")

// room is a writer that has room for a number of bytes.
type room int

func (r *room) Write(data []byte) (int, error) {
	if *r -= room(len(data)); *r < 0 {
		return 0, errFull
	}
	return len(data), nil
}

func TestWriteFails(t *testing.T) {
	for _, size := range []int{0, 50, len(want) - 1} {
		left := room(size)
		if err := report().Write(&left); !errors.Is(err, errFull) {
			t.Errorf("room for %d bytes: %v", size, err)
		}
	}
}
