package run

import (
	"strings"
	"testing"
)

func TestCoverageCountsRules(t *testing.T) {
	vectors := []Vector{{Rule: "B-001"}, {Rule: "A-001"}, {Rule: "B-001"}, {Rule: "X-001"}}
	var out strings.Builder
	if err := WriteCoverage(&out, Coverage([]string{"A-001", "A-002", "B-001"}, vectors)); err != nil {
		t.Fatal(err)
	}
	want := []string{"A-001", "1", "A-002", "0", "B-001", "2", "3", "rules:", "2", "with", "vectors,", "1", "without"}
	if got := strings.Fields(out.String()); strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("got %q, want %q", got, want)
	}
}
