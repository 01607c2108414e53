package celrules_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/crdsem/crdsem/celrules/check"
)

// addRules adds rules to some nodes of a schema. Transition rules are added
// either only to correlatable nodes, or anywhere; at run time they are skipped
// on uncorrelatable nodes.
func (g *generator) addRules(s *shape, percent int) {
	if g.chance(percent) {
		var rules []any
		for range 1 + g.IntN(3) {
			rules = append(rules, g.rule(s))
		}
		s.schema["x-kubernetes-validations"] = rules
	}
	for _, name := range s.names {
		g.addRules(s.fields[name], percent/2)
	}
	if s.elem != nil {
		g.addRules(s.elem, percent/2)
	}
}

func (g *generator) rule(s *shape) map[string]any {
	scope := []place{{"self", s}}
	r := map[string]any{}
	switch g.IntN(8) {
	case 0, 1:
		scope = append(scope, place{"oldSelf", s})
	case 2:
		r["optionalOldSelf"] = true
		r["rule"] = "!oldSelf.hasValue() || (" + g.boolean(
			append(scope, place{"oldSelf.value()", s}), 2) + ")"
	}
	if r["rule"] == nil {
		r["rule"] = g.boolean(scope, 3)
	}
	if g.chance(25) {
		r["message"] = pick(g, "must be so", " padded ", "two words")
	}
	if g.chance(25) {
		r["messageExpression"] = pick(g, "'m'", "'a' + 'b'", "'\\n'", "''", "'x'.substring(5)",
			"string(1) + 'y'")
		if p, ok := g.of(scope, "string"); ok {
			r["messageExpression"] = "'value ' + " + p.text
		}
	}
	if g.chance(20) {
		r["reason"] = pick(g, "FieldValueRequired", "FieldValueForbidden", "FieldValueInvalid",
			"FieldValueDuplicate")
	}
	if g.chance(20) && s.cel == "object" {
		r["fieldPath"] = "['" + pick(g, s.names...) + "']"
	}
	return r
}

// value generates a value for a shape, sometimes null, missing or of another
// type.
func (g *generator) value(s *shape) any {
	if g.chance(3) {
		return pick[any](g, nil, int64(1), "s", []any{}, map[string]any{}, 1.5, true)
	}
	switch s.cel {
	case "string":
		return pick[any](g, "a", "b", "abc", "", "xyz", "a.b", "10", "é", "1.2.3.4")
	case "int":
		return int64(g.IntN(6) - 1)
	case "double":
		return pick[any](g, 1.5, int64(2), 0.0, -3.25)
	case "bool":
		return g.chance(60)
	case "dyn":
		return pick[any](g, "10%", "1", int64(1), int64(7), "abc")
	case "timestamp":
		return pick[any](g, "2024-01-02T03:04:05Z", "2024-01-02", "2031-05-05T00:00:00.5+02:00",
			"no")
	case "duration":
		return pick[any](g, "5s", "1h", "3 days", "no")
	case "bytes":
		return pick[any](g, "YWJj", "YQ==", "+-", "")
	case "list":
		out := []any{}
		for range g.IntN(5) {
			out = append(out, g.value(s.elem))
		}
		return out
	case "map":
		out := map[string]any{}
		for range g.IntN(4) {
			out[pick(g, "a", "b", "k", "x-y")] = g.value(s.elem)
		}
		return out
	}
	out := map[string]any{}
	for _, name := range s.names {
		if g.chance(80) {
			out[name] = g.value(s.fields[name])
		}
	}
	if g.chance(5) {
		out["unknown"] = g.value(&shape{cel: "dyn"})
	}
	return out
}

func (g *generator) schema() (*shape, []byte) {
	root := g.object(3)
	delete(root.schema, "x-kubernetes-preserve-unknown-fields")
	g.addRules(root, 90)
	text, err := json.Marshal(root.schema)
	if err != nil {
		panic(err) // the generator makes JSON only
	}
	return root, text
}

// generatedCases is the number of objects to compare. The variable CRDSEM_CASES
// sets it.
func generatedCases(t testing.TB) int {
	t.Helper()
	if text := os.Getenv("CRDSEM_CASES"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	return 2000
}

func seed(t testing.TB) uint64 {
	t.Helper()
	if text := os.Getenv("CRDSEM_SEED"); text != "" {
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	return 1
}

func TestGenerated(t *testing.T) {
	cases, failing, differences := 0, 0, 0
	rules, compiled := 0, 0
	first := seed(t)
	for n := first; cases < generatedCases(t); n++ {
		g := &generator{Rand: rand.New(rand.NewPCG(n, 77))}
		root, schema := g.schema()
		if real, ours := estimates(t, schema); fmt.Sprint(real) != fmt.Sprint(ours) {
			differences++
			t.Errorf("seed %d: %s", n, schema)
			for i := range min(len(real), len(ours)) {
				if real[i] != ours[i] {
					t.Errorf("real %s\nours %s", real[i], ours[i])
				}
			}
		}
		b := newBoth(t, fmt.Sprint("seed ", n), schema)
		costs, err := check.Costs(t.Context(), b.ours)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range costs {
			rules++
			if len(c.Errors) == 0 {
				compiled++
			}
		}
		if b.validator == nil {
			continue
		}
		for range 12 {
			object, _ := roundTrip(t, g.value(root)).(map[string]any)
			if object == nil {
				continue
			}
			var old any
			if g.chance(60) {
				changed := runtime.DeepCopyJSON(object)
				for range g.IntN(3) {
					mutate(g.Rand, changed)
				}
				old = roundTrip(t, changed)
			}
			cases++
			if difference := b.compare(t, object, old); difference != "" {
				differences++
				text, _ := json.Marshal(object)
				oldText, _ := json.Marshal(old)
				t.Errorf("seed %d: %s\nobject %s\nold %s\nschema %s", n, difference, text, oldText,
					schema)
			}
			if len(b.our(object, old).errors) > 0 {
				failing++
			}
		}
		if differences > 5 {
			t.Fatal("too many differences")
		}
	}
	t.Logf("seeds from %d: %d rules of which %d compile, "+
		"%d cases of which %d have errors, %d differences",
		first, rules, compiled, cases, failing, differences)
}

// roundTrip converts a value to the Go types of decoded JSON.
func roundTrip(t testing.TB, v any) any {
	t.Helper()
	text, err := json.Marshal(map[string]any{"v": v})
	if err != nil {
		t.Fatal(err)
	}
	var out map[string]any
	if err := utiljson.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	return out["v"]
}
