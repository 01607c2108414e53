package lint_test

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/internal/test/oddrules"
)

// Rules that no server accepts are looked at like others: nothing panics.
func TestOddRules(t *testing.T) {
	r := rand.New(rand.NewPCG(57, 2))
	for range 30 {
		var rules []string
		for range 4 {
			text, err := json.Marshal(oddrules.Draw(r, 3))
			if err != nil {
				t.Fatal(err)
			}
			rules = append(rules, `{"rule": `+string(text)+`, "message": "exactly one of a and s"}`)
		}
		list := `"x-kubernetes-validations": [` + strings.Join(rules, ", ") + `]`
		linted(t, strings.Replace(frame, "%s", oddrules.Schema+", "+list+"}", 1))
	}
}
