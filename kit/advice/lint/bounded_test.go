package lint

import (
	"strings"
	"testing"
)

// Rules are evaluated up to a number of steps. What is left has no finding.
func TestBounded(t *testing.T) {
	rule := "self.a" + strings.Repeat(" && (self.a", 100) + strings.Repeat(")", 100)
	n := &node{at: "at", doc: map[string]any{
		"type":       "object",
		"properties": map[string]any{"a": map[string]any{"type": "boolean"}},
		"x-kubernetes-validations": []any{
			map[string]any{"rule": rule}, map[string]any{"rule": rule},
		},
	}}
	for _, c := range []struct{ steps, found int }{{10000, 2}, {1000, 1}, {10, 0}} {
		w := &walk{ctx: t.Context(), steps: c.steps}
		w.rules(n)
		if len(w.found) != c.found || w.steps < 0 != (c.found < 2) {
			t.Errorf("%d steps: %v, %d left", c.steps, w.found, w.steps)
		}
	}
}
