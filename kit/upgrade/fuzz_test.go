package upgrade_test

import (
	"encoding/json"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/kit/generate"
	"github.com/crdsem/crdsem/kit/upgrade"
)

// madeCRD returns a definition with a schema.
func madeCRD(t *testing.T, schema any) []byte {
	t.Helper()
	text, err := json.Marshal(schema)
	if err != nil {
		t.Fatal(err)
	}
	return crd(`{"made": ` + string(text) + `}`)
}

// A definition does not differ from itself, a comparison is the same each time,
// and an object that was admitted is admitted if nothing is said to be
// stricter.
func FuzzCompare(f *testing.F) {
	for seed := range byte(8) {
		f.Add([]byte{seed})
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r := generate.FromBytes(data)
		schema := generate.Schema(r, generate.SchemaConfig{Rules: float64(r.IntN(2)) / 10})
		old, changed := madeCRD(t, schema), madeCRD(t, generate.Mutate(r, schema))
		tries := upgrade.Tries(3)
		if same, err := upgrade.Compare(t.Context(), old, old, tries); err == nil &&
			len(same.Changes) > 0 && same.Changes[0].Class != upgrade.DefinitionRefused {
			t.Fatalf("%s differs from itself: %v", old, &same.Changes[0])
		}
		report, err := upgrade.Compare(t.Context(), old, changed, tries)
		again, errAgain := upgrade.Compare(t.Context(), old, changed, tries)
		if err != nil || errAgain != nil {
			return
		}
		if diff := cmp.Diff(lines(report), lines(again)); diff != "" {
			t.Fatalf("%s to %s: two reports: %s", old, changed, diff)
		}
		checkAdmitted(t, r, report, old, changed)
	})
}

func lines(report *upgrade.Report) (all []string) {
	for i := range report.Changes {
		all = append(all, report.Changes[i].String())
	}
	return all
}

// checkAdmitted checks a report that has no change for writers with an object
// of the old definition.
func checkAdmitted(
	t *testing.T, r *rand.Rand, report *upgrade.Report, old, changed []byte,
) {
	t.Helper()
	for i := range report.Changes {
		if report.Changes[i].Severities.Writers != upgrade.Fine {
			return
		}
	}
	was, err := crdsem.Parse(old)
	if err != nil {
		return
	}
	is, err := crdsem.Parse(changed)
	if err != nil {
		return
	}
	before, err := was.Version("v1")
	if err != nil {
		t.Fatal(err)
	}
	after, err := is.Version("v1")
	if err != nil {
		t.Fatal(err)
	}
	object, ok := generate.Object(r, before.Schema()).(map[string]any)
	if !ok {
		return
	}
	object["apiVersion"], object["kind"] = "example.com/v1", "Foo"
	object["metadata"] = map[string]any{"name": "a", "namespace": "b"}
	if before.Create(t.Context(), object).Admitted() {
		if result := after.Create(t.Context(), object); !result.Admitted() {
			t.Fatalf("%s to %s: %q; %v is refused: %v %v", old, changed, lines(report), object,
				result.Err(), result.Errors)
		}
	}
}
