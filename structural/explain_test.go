package structural_test

import (
	"strings"
	"testing"

	"github.com/crdsem/crdsem/structural"
)

// Every error of Validate on the vectors is explained.
func TestEveryErrorIsExplained(t *testing.T) {
	explained := map[string]bool{}
	for id, text := range schemas(t) {
		schema, err := structural.Parse(text)
		if err != nil {
			continue
		}
		for _, found := range structural.Validate(schema, root) {
			rule, text, ok := structural.Explain(found)
			if !ok || text == "" || !strings.HasPrefix(rule, "STR-") {
				t.Errorf("%s: no explanation of %v", id, found)
			}
			explained[rule] = true
		}
	}
	if len(explained) < 25 {
		t.Errorf("the vectors violate only %d rules", len(explained))
	}
}
