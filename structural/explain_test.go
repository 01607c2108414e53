package structural_test

import (
	"strings"
	"testing"

	"github.com/crdsem/crdsem/structural"
)

// Every finding of Validate on the vectors has words, and the words' rule is one that the vectors know.
func TestEveryFindingHasWords(t *testing.T) {
	said := map[string]bool{}
	for id, text := range schemas(t) {
		schema, err := structural.Parse(text)
		if err != nil {
			continue
		}
		for _, found := range structural.Validate(schema, root) {
			rule, words, ok := structural.Explain(found)
			if !ok || words == "" || !strings.HasPrefix(rule, "STR-") {
				t.Errorf("%s: no words for %v", id, found)
			}
			said[rule] = true
		}
	}
	if len(said) < 25 {
		t.Errorf("only %d rules were broken by the vectors", len(said))
	}
}
