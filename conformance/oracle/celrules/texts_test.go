package celrules_test

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/internal/test/corpus"
)

// changeRules changes the texts of rules and messageExpressions everywhere in a
// schema. It makes some oldSelf optional.
func changeRules(g *generator, v any) {
	switch v := v.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if list, ok := v[key].([]any); ok && key == "x-kubernetes-validations" {
				for _, rule := range list {
					changeRule(g, rule.(map[string]any))
				}
				continue
			}
			changeRules(g, v[key])
		}
	case []any:
		for _, child := range v {
			changeRules(g, child)
		}
	}
}

func changeRule(g *generator, rule map[string]any) {
	rule["rule"] = changedText(g, rule["rule"].(string))
	if g.chance(30) {
		rule["messageExpression"] = changedText(g, "'of ' + string(self)")
	}
	if g.chance(10) {
		rule["optionalOldSelf"] = g.chance(50)
	}
}

// The rules of real CRDs, with a few characters changed, compile or fail with
// the same texts and at the same cost.
func TestChangedTexts(t *testing.T) {
	first := seed(t)
	g := &generator{Rand: rand.New(rand.NewPCG(first, 5))}
	schemas := corpus.Schemas(t)
	rules, failing, differences := 0, 0, 0
	for rules < generatedCases(t) {
		var schema any
		if err := json.Unmarshal(pick(g, schemas...).Text, &schema); err != nil {
			t.Fatal(err)
		}
		changeRules(g, schema)
		text, err := json.Marshal(schema)
		if err != nil {
			t.Fatal(err)
		}
		real, ours := estimates(t, text)
		rules += len(real)
		for i := range real {
			if i >= len(ours) || real[i] != ours[i] {
				differences++
				t.Errorf("real %s\nours %s", real[i], ours[i])
			}
			if !strings.HasSuffix(real[i], "errors []") {
				failing++
			}
		}
		if differences > 5 {
			t.Fatal("too many differences")
		}
	}
	t.Logf("seed %d: %d rules, %d that fail, %d differences", first, rules, failing, differences)
}

func changedText(g *generator, text string) string {
	runes := []rune(text)
	for range g.IntN(4) {
		if len(runes) == 0 {
			break
		}
		at := g.IntN(len(runes))
		switch g.IntN(4) {
		case 0:
			runes = slices.Delete(runes, at, at+1)
		case 1:
			runes = slices.Insert(runes, at,
				pick(g, []rune("()[]{}.,'\"\\ab10 &|!?:<>=+-*/%\n\té")...))
		case 2:
			runes[at] = pick(g, []rune("()[]{}.,'\"\\ab10 &|!?:<>=+-*/%\n\té")...)
		case 3:
			end := min(len(runes), at+1+g.IntN(6))
			runes = slices.Insert(runes, g.IntN(len(runes)), slices.Clone(runes[at:end])...)
		}
	}
	return string(runes)
}
