package structural_test

import (
	"testing"

	"github.com/crdsem/crdsem/conformance/spec"
	"github.com/crdsem/crdsem/structural"
)

// Every error of Validate on the vectors has a rule of the specification as its
// origin.
func TestEveryErrorHasItsRule(t *testing.T) {
	broken := map[string]bool{}
	for id, text := range schemas(t) {
		schema, err := structural.Parse(text)
		if err != nil {
			continue
		}
		for _, found := range structural.Validate(schema, root) {
			if _, ok := spec.Find(found.Origin); !ok {
				t.Errorf("%s: %v has the unknown rule %q", id, found, found.Origin)
			}
			broken[found.Origin] = true
		}
	}
	if len(broken) < 31 {
		t.Errorf("the vectors violate only %d rules", len(broken))
	}
}
