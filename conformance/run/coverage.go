package run

import (
	"fmt"
	"io"
)

// RuleCount is a rule of the specification with the number of vectors that show it.
type RuleCount struct {
	Rule    string
	Vectors int
}

// Coverage counts the vectors of each rule, in the order of rules. A vector of a
// rule that is not among them does not count. The arguments are not changed.
func Coverage(rules []string, vectors []Vector) []RuleCount {
	shown := map[string]int{}
	for _, v := range vectors {
		shown[v.Rule]++
	}
	counts := make([]RuleCount, len(rules))
	for i, rule := range rules {
		counts[i] = RuleCount{Rule: rule, Vectors: shown[rule]}
	}
	return counts
}

// WriteCoverage writes a line for each rule and a last one with the totals. The
// error is that of w.
func WriteCoverage(w io.Writer, counts []RuleCount) error {
	covered := 0
	for _, c := range counts {
		if c.Vectors > 0 {
			covered++
		}
		if _, err := fmt.Fprintf(w, "%-20s %5d\n", c.Rule, c.Vectors); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(w, "%d rules: %d with vectors, %d without\n", len(counts), covered, len(counts)-covered)
	return err
}
