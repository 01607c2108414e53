package lint

import (
	"fmt"
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

// However many rules a node has, those that are evaluated for values are
// bounded: rules that may end with an error, and those of changes.
func TestTriesAreBounded(t *testing.T) {
	for _, format := range []string{
		"!has(self.a) || duration(self.a) > duration('%ds')",
		"!has(self.a) || !has(oldSelf.a) || self.a == oldSelf.a || size(self.a) > %d",
	} {
		var rules []any
		for i := range 2_000 {
			rules = append(rules, map[string]any{"rule": fmt.Sprintf(format, i+1)})
		}
		root := &node{at: "at", path: []string{}, isRoot: true, doc: map[string]any{
			"type": "object", "properties": map[string]any{"spec": map[string]any{
				"type": "object", "properties": map[string]any{"a": map[string]any{
					"type": "string", "format": "duration", "maxLength": int64(9),
				}},
				"x-kubernetes-validations": rules,
			}},
		}}
		w := &walk{ctx: t.Context(), steps: maxSteps, root: root}
		w.rules(root.find([]string{"spec"}))
		if most := maxTried + 2*root.trial().count; w.tried == 0 || w.tried > most {
			t.Errorf("%s: %d rules were evaluated for values, at most %d", format, w.tried, most)
		}
	}
}
