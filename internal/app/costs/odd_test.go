package costs

import (
	"encoding/json"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/internal/test/oddrules"
	"github.com/crdsem/crdsem/kit/generate"
	"github.com/crdsem/crdsem/minors"
)

// bounds matches the bounds of lists, maps and texts.
var bounds = regexp.MustCompile(`, "max(Items|Length|Properties)": [0-9]+`)

// priceOdd asks what rules and messages cost that no server accepts, with and
// without bounds around them, and for bounds that make them cheap.
func priceOdd(t *testing.T, r *rand.Rand) {
	t.Helper()
	var rules []string
	for range 4 {
		rule, err := json.Marshal(map[string]any{
			"rule": oddrules.Draw(r, 3), "messageExpression": oddrules.Draw(r, 2),
			"optionalOldSelf": r.IntN(4) == 0,
		})
		if err != nil {
			t.Fatal(err)
		}
		rules = append(rules, string(rule))
	}
	schema := oddrules.Schema
	if r.IntN(2) == 0 {
		schema = bounds.ReplaceAllString(schema, "")
	}
	schema += `, "x-kubernetes-validations": [` + strings.Join(rules, ", ") + `]}`
	edits, _ := fixed(t, schema)
	for _, e := range edits {
		if e.Value < 1 {
			t.Errorf("%s: the bound of %s is %d", schema, e.Path, e.Value)
		}
	}
	crd, _, err := definition.Parse([]byte(definitionOf(schema)))
	if err != nil {
		t.Fatal(err)
	}
	model, err := definition.Compile(crd)
	if err != nil {
		t.Fatal(err)
	}
	for _, minor := range []minors.Minor{minors.Newest(), minors.All()[0]} {
		tables, err := Of(t.Context(), model, minor)
		if err != nil || len(tables) != 1 || len(tables[0].Rules) != len(rules) {
			t.Fatalf("%s: %v, %+v", schema, err, tables)
		}
	}
}

// Rules that no server accepts have costs like others: nothing panics.
func TestOddRules(t *testing.T) {
	r := rand.New(rand.NewPCG(57, 3))
	for range 25 {
		priceOdd(t, r)
	}
}

func FuzzOddRules(f *testing.F) {
	for seed := range byte(8) {
		f.Add([]byte{seed, 1, 2, 3})
	}
	f.Fuzz(func(t *testing.T, data []byte) { priceOdd(t, generate.FromBytes(data)) })
}
