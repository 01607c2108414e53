package definition_test

import (
	"testing"

	"k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"

	"github.com/crdsem/crdsem/internal/test/corpus"
)

// Real definitions have the same errors and warnings on both sides.
func TestCorpus(t *testing.T) {
	all, differing, warned := corpus.Definitions(t), 0, 0
	for _, file := range all {
		want, got := realDefinition(string(file.Text), ""), ourDefinition(string(file.Text), "")
		if len(want.warnings) > 0 {
			warned++
		}
		if !want.equal(got) {
			differing++
			t.Errorf("%s: %s", file.Name(), report(want, got))
		}
	}
	t.Logf("%d definitions, %d with warnings, %d differing", len(all), warned, differing)
}

// Real definitions, mutated one to four times, have the same errors and
// warnings on create and on update, from themselves and from other mutants.
func TestMutatedCorpus(t *testing.T) {
	g := newGenerator(uint64(number(t, "CRDSEM_SEED", 1)), 3)
	kinds := mutations()
	rounds, limit := number(t, "CRDSEM_ROUNDS", 2), number(t, "CRDSEM_SIZE", 60_000)
	cases, valid, panics, used := 0, 0, 0, map[string]int{}
	for _, file := range corpus.Definitions(t) {
		if len(file.Text) > limit {
			continue
		}
		original := document(t, file)
		for range rounds {
			old := deepCopy(original).(map[string]any)
			object(old, "metadata")["resourceVersion"] = "1"
			mutate := func(crd map[string]any, times int) {
				for range times {
					kind := pick(g, kinds...)
					kind.apply(newMutator(g, crd))
					used[kind.name]++
				}
			}
			mutate(old, pick(g, 0, 0, 1, 2))
			next := deepCopy(old).(map[string]any)
			mutate(next, pick(g, 1, 1, 2, 3))
			for _, from := range []map[string]any{nil, old} {
				outcome := compareMutant(t, next, from)
				if outcome == "" {
					t.Fatalf("%s differs", file.Name())
				}
				cases++
				if outcome == "valid" {
					valid++
				}
				if outcome == panicked {
					panics++
				}
			}
		}
	}
	t.Logf("%d cases by %d kinds of mutation: %d valid, %d on which the real code panics", cases,
		len(used), valid, panics)
}

func document(t testing.TB, file corpus.File) map[string]any {
	t.Helper()
	data, err := yaml.YAMLToJSON(file.Text)
	if err != nil {
		t.Fatal(err)
	}
	var out map[string]any
	if err := json.Unmarshal(data, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// compareMutant compares one case. It returns its outcome: valid, invalid, or a
// panic of the real code. It reports a difference and returns "".
func compareMutant(t *testing.T, crd, old map[string]any) string {
	t.Helper()
	text, oldText := encode(t, crd), ""
	if old != nil {
		oldText = encode(t, old)
	}
	want := realDefinition(text, oldText)
	if sameOrFault(text, oldText) {
		switch {
		case want.isPanic():
			return panicked
		case len(want.errors) == 0:
			return "valid"
		default:
			return "invalid"
		}
	}
	small := shrink(map[string]any{"crd": crd, "old": any(old)}, func(c any) bool {
		both := c.(map[string]any)
		if both["crd"] == nil || old != nil && both["old"] == nil {
			return false
		}
		oldText := ""
		if old != nil {
			oldText = encode(t, both["old"])
		}
		return !sameOrFault(encode(t, both["crd"]), oldText)
	}).(map[string]any)
	text = encode(t, small["crd"])
	if old != nil {
		oldText = encode(t, small["old"])
	}
	t.Error(report(realDefinition(text, oldText), ourDefinition(text, oldText), text, oldText))
	return ""
}

// sameOrFault is sameDefinition, except that an old definition that does not
// decode must be a fault on both sides.
func sameOrFault(crd, old string) bool {
	want := realDefinition(crd, old)
	if len(want.errors) == 1 && len(want.errors[0]) > 6 && want.errors[0][:6] == "fault:" {
		return ourDefinition(crd, old).errors[0][:6] == "fault:"
	}
	return sameDefinition(crd, old)
}
