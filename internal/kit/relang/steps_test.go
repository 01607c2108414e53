package relang

import (
	"strings"
	"testing"
)

// A search takes few steps: one for each place that it reaches, and one for
// each pattern and letter there. States are built once, and places from which
// no string is found are left out. With fewer steps than that it is undecided.
func TestSteps(t *testing.T) {
	for _, c := range []struct {
		name, patterns string // of 1000 characters; the last pattern is excluded
		found          bool
		steps          int
	}{
		// Letters: a, any other.
		{"one place for each length", "^a*$ ", true, 1000 * (1 + 2)},
		{"at once, and the threads", "^a$ ", false, 2*(1+2) + 2*2 + 2*1},
		// Letters: a, b, any other.
		{"places that one pattern leaves", "^a*$ ^[ab]*$ ", true, 1000 * (1 + 3*2)},
		{"two places for each length", "^[ab]*$ b", true, 999*2*(1+3*2) + 1 + 3*2},
		// Letters: a and b, any other.
		{"no string", "^[ab]*$ ^(a|b)*$", false, 1000*(1+2*2) + 1},
	} {
		run := func(left int) (Outcome, int) {
			list := strings.Split(c.patterns, " ")
			n := len(list) - 1
			comparison := &comparison{ctx: t.Context(), left: maxSteps}
			machines := comparison.compile(list)
			comparison.left = left
			s := search{c: comparison, include: machines[:n], low: 1000, high: 1000}
			if list[n] != "" {
				s.exclude = machines[n]
			}
			return s.run(), left - comparison.left
		}
		want, steps := run(maxSteps)
		// A few more steps follow the threads of states.
		if !want.Decided || want.Found != c.found || steps < c.steps || steps > c.steps+60 {
			t.Errorf("%s: %.50v in %d steps, want %d", c.name, want, steps, c.steps)
		}
		for left := max(1, steps-50); left <= steps+1; left++ {
			got, _ := run(left)
			if got.Decided && got != want || got.Decided != (left > steps) {
				t.Errorf("%s: %.50v with %d steps of %d", c.name, got, left, steps)
			}
		}
	}
}
