package structural_test

import (
	"testing"

	"github.com/crdsem/crdsem/spec"
	"github.com/crdsem/crdsem/structural"
)

// Every error of Validate on the vectors has a rule of the specification as its
// origin, and is explained.
func TestEveryErrorIsExplained(t *testing.T) {
	explained := map[string]bool{}
	for id, text := range schemas(t) {
		schema, err := structural.Parse(text)
		if err != nil {
			continue
		}
		for _, found := range structural.Validate(schema, root) {
			rule, text, ok := structural.Explain(found)
			if !ok || text == "" || rule != found.Origin {
				t.Errorf("%s: no explanation of %v", id, found)
			}
			if _, ok := spec.Find(rule); !ok {
				t.Errorf("%s: %v has the unknown rule %q", id, found, rule)
			}
			explained[rule] = true
		}
	}
	if len(explained) < 31 {
		t.Errorf("the vectors violate only %d rules", len(explained))
	}
}
