package upgrade_test

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/internal/app/protocol"
	"github.com/crdsem/crdsem/internal/test/oddrules"
	"github.com/crdsem/crdsem/kit/generate"
	"github.com/crdsem/crdsem/kit/upgrade"
	"github.com/crdsem/crdsem/minors"
)

// oddCRD returns a definition with odd rules of spec and of a field.
func oddCRD(r *rand.Rand, count int) []byte {
	var rules []string
	for range count {
		text, _ := json.Marshal(oddrules.Draw(r, 3)) // strings do not fail
		rules = append(rules, `{"rule": `+string(text)+`}`)
	}
	list := `"x-kubernetes-validations": [` + strings.Join(rules, ", ") + `]`
	schema := strings.Replace(oddrules.Schema, `"type": "integer", "maximum": 3`,
		`"type": "integer", "maximum": 3, `+list, 1)
	return crd(`{"o": ` + schema + ", " + list + `}}`)
}

// compareOdd compares two such definitions, of which the server accepts
// neither.
func compareOdd(t *testing.T, r *rand.Rand) {
	t.Helper()
	old, changed := oddCRD(r, 4), oddCRD(r, 4)
	if _, err := upgrade.Compare(t.Context(), old, changed, upgrade.Tries(1)); err != nil {
		t.Fatalf("%s to %s: %v", old, changed, err)
	}
	document, err := protocol.ParseValue(changed)
	if err != nil {
		t.Fatal(err)
	}
	all := minors.All()
	_, err = upgrade.CompareMinors(t.Context(), document.(map[string]any), all[len(all)-2:],
		upgrade.Tries(1))
	if err != nil {
		t.Fatalf("%s: %v", changed, err)
	}
}

// Rules that no server accepts are compared like others: nothing panics.
func TestOddRules(t *testing.T) {
	r := rand.New(rand.NewPCG(57, 1))
	for range 12 {
		compareOdd(t, r)
	}
}

func FuzzOddRules(f *testing.F) {
	for seed := range byte(8) {
		f.Add([]byte{seed, 1, 2, 3})
	}
	f.Fuzz(func(t *testing.T, data []byte) { compareOdd(t, generate.FromBytes(data)) })
}
