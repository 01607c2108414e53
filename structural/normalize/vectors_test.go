package normalize_test

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/defaulting"
	"github.com/crdsem/crdsem/internal/unstructured"
	"github.com/crdsem/crdsem/structural"
	"github.com/crdsem/crdsem/structural/normalize"
)

type vector struct {
	ID, Rule, Op                            string
	Schema, Object                          json.RawMessage
	Pruned, NullsPruned, Coerced, Defaulted json.RawMessage
	UnknownFields, MetaUnknownFields        []string
	DropInvalidMetadata                     bool
	DecodeError                             string
	PrunedDefaults                          map[string]json.RawMessage
	PruneDefaultsError                      string
}

func vectors(t *testing.T) []vector {
	t.Helper()
	data, err := os.ReadFile("../../conformance/vectors/stages/objects.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var out []vector
	for line := range bytes.Lines(data) {
		var v vector
		if err := json.Unmarshal(line, &v); err != nil {
			t.Fatal(err)
		}
		out = append(out, v)
	}
	return out
}

func decode(t *testing.T, text []byte) map[string]any {
	t.Helper()
	object, _, err := unstructured.DecodeObject(text)
	if err != nil {
		t.Fatal(err)
	}
	return object
}

// stages are the states of an object on the way, by the steps that lead there.
func (v *vector) stages() map[normalize.Steps]json.RawMessage {
	out := map[normalize.Steps]json.RawMessage{}
	at, last := normalize.Prune|normalize.ResourceRoot, v.Pruned
	out[at] = last
	if v.NullsPruned != nil {
		last = v.NullsPruned
	}
	at |= normalize.DropNulls
	out[at] = last
	return out
}

// Pruning and dropping nulls give the recorded objects and paths, in place and as a copy that leaves its argument alone
// (PRN-001 to PRN-031, DEF-030 to DEF-036).
func TestVectors(t *testing.T) {
	tested := 0
	for _, v := range vectors(t) {
		if v.Pruned == nil {
			continue
		}
		schema, err := structural.Parse(v.Schema)
		if err != nil {
			t.Errorf("%s: %v", v.ID, err)
			continue
		}
		for steps, text := range v.stages() {
			want := decode(t, text)
			object, original := decode(t, v.Object), decode(t, v.Object)
			copied, copiedChanges, _ := normalize.Copy(object, schema, steps)
			if diff := cmp.Diff(original, object); diff != "" {
				t.Errorf("%s: Copy changed its argument: %s", v.ID, diff)
			}
			changes, _ := normalize.InPlace(object, schema, steps)
			if diff := cmp.Diff(want, object); diff != "" {
				t.Errorf("%s %s steps %b in place: %s", v.ID, v.Rule, steps, diff)
			}
			if diff := cmp.Diff(want, copied); diff != "" {
				t.Errorf("%s %s steps %b copied: %s", v.ID, v.Rule, steps, diff)
			}
			if diff := cmp.Diff(changes, copiedChanges); diff != "" {
				t.Errorf("%s: changes of InPlace and Copy differ: %s", v.ID, diff)
			}
			if got := normalize.Paths(changes, normalize.Pruned); !slices.Equal(got, v.UnknownFields) {
				t.Errorf("%s %s: unknown fields %q, want %q", v.ID, v.Rule, got, v.UnknownFields)
			}
			tested++
		}
	}
	t.Logf("%d states of %d vectors", tested, len(vectors(t)))
}

// The defaults that are left after pruning them are the recorded ones (DEF-041 to DEF-045).
func TestPruneDefaultsVectors(t *testing.T) {
	tested := 0
	for _, v := range vectors(t) {
		if v.PrunedDefaults == nil && v.PruneDefaultsError == "" {
			continue
		}
		tested++
		schema, err := structural.Parse(v.Schema)
		if err != nil {
			t.Errorf("%s: %v", v.ID, err)
			continue
		}
		got, err := defaulting.PruneDefaults(schema)
		if v.PruneDefaultsError != "" {
			if err == nil || err.Error() != v.PruneDefaultsError {
				t.Errorf("%s: error %v, want %s", v.ID, err, v.PruneDefaultsError)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", v.ID, err)
			continue
		}
		want := map[string]any{}
		for path, text := range v.PrunedDefaults {
			value, _, err := unstructured.DecodeJSON(text)
			if err != nil {
				t.Fatal(err)
			}
			want[path] = value
		}
		defaults := map[string]any{}
		collect(got, "", defaults)
		if diff := cmp.Diff(want, defaults); diff != "" {
			t.Errorf("%s %s: %s", v.ID, v.Rule, diff)
		}
	}
	if tested == 0 {
		t.Error("no vector has pruned defaults")
	}
}

func collect(s *structural.Schema, path string, into map[string]any) {
	if s == nil {
		return
	}
	if s.Default() != nil {
		into[path] = s.Default()
	}
	for name, property := range s.Properties() {
		collect(property, path+"."+name, into)
	}
	collect(s.Items(), path+"[]", into)
	collect(s.AdditionalSchema(), path+"[*]", into)
}
