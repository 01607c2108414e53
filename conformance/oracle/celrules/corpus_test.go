package celrules_test

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"

	"github.com/crdsem/crdsem/internal/test/corpus"
)

// kindOf returns apiVersion and kind of the objects of a schema.
func kindOf(s corpus.Schema) string { return s.Group + "/" + s.Version + " " + s.Kind }

// corpusObjects returns the objects of the corpus, its suites included, by
// apiVersion and kind.
func corpusObjects(t testing.TB) map[string][]map[string]any {
	t.Helper()
	out := map[string][]map[string]any{}
	for _, file := range corpus.Manifests(t) {
		for _, document := range strings.Split(string(file.Text), "\n---") {
			converted, err := yaml.YAMLToJSON([]byte(document))
			if err != nil {
				continue
			}
			var object map[string]any
			if utiljson.Unmarshal(converted, &object) != nil || object["kind"] == nil {
				continue
			}
			apiVersion, _ := object["apiVersion"].(string)
			kind, _ := object["kind"].(string)
			out[apiVersion+" "+kind] = append(out[apiVersion+" "+kind], object)
		}
	}
	return out
}

func TestCorpusObjects(t *testing.T) {
	objects := corpusObjects(t)
	rng := rand.New(rand.NewPCG(7, 11))
	cases, failing, differences := 0, 0, 0
	for _, s := range corpus.Schemas(t) {
		candidates := objects[kindOf(s)]
		if len(candidates) == 0 {
			continue
		}
		b := newBoth(t, s.String(), s.Text)
		if (b.validator == nil) != b.rules.Empty() {
			t.Errorf("%s: rules here and none there", s)
		}
		if b.validator == nil {
			continue
		}
		for _, object := range candidates {
			prepared := runtime.DeepCopyJSON(object)
			pruning.Prune(prepared, b.structural, true)
			defaulting.PruneNonNullableNullsWithoutDefaults(prepared, b.structural)
			defaulting.Default(prepared, b.structural)
			for _, c := range casesOf(rng, prepared) {
				cases++
				if difference := b.compare(t, c.object, c.old); difference != "" {
					differences++
					text, _ := json.Marshal(c.object)
					oldText, _ := json.Marshal(c.old)
					t.Errorf("%s: %s\nobject %s\nold %s", s, difference, text, oldText)
				}
				if len(b.our(c.object, c.old).errors) > 0 {
					failing++
				}
				if differences > 10 {
					t.Fatal("too many differences")
				}
			}
		}
	}
	t.Logf("%d cases, %d with errors, %d differences", cases, failing, differences)
}

// testCase is an object with, for an update, the old object.
type testCase struct{ object, old any }

func casesOf(rng *rand.Rand, object map[string]any) []testCase {
	out := []testCase{{object, nil}, {object, runtime.DeepCopyJSON(object)}}
	for range 6 {
		m := runtime.DeepCopyJSON(object)
		for range 1 + rng.IntN(3) {
			mutate(rng, m)
		}
		out = append(out, testCase{m, nil}, testCase{m, object}, testCase{object, m},
			testCase{m, runtime.DeepCopyJSON(m)})
	}
	return out
}

// mutate changes one value below spec, below status or at the root.
func mutate(rng *rand.Rand, object map[string]any) {
	keys := make([]string, 0, len(object))
	for key := range object {
		keys = append(keys, key)
	}
	if len(keys) == 0 {
		object["added"] = int64(1)
		return
	}
	slices.Sort(keys)
	key := keys[rng.IntN(len(keys))]
	if rng.IntN(4) > 0 && mutateBelow(rng, object[key]) {
		return
	}
	switch rng.IntN(6) {
	case 0:
		delete(object, key)
	case 1:
		object[keys[rng.IntN(len(keys))]] = runtime.DeepCopyJSONValue(object[key])
	default:
		object[key] = changed(rng, object[key])
	}
}

func mutateBelow(rng *rand.Rand, v any) bool {
	switch v := v.(type) {
	case map[string]any:
		mutate(rng, v)
		return true
	case []any:
		if len(v) == 0 {
			return false
		}
		i, j := rng.IntN(len(v)), rng.IntN(len(v))
		switch rng.IntN(5) {
		case 0:
			v[i], v[j] = v[j], v[i]
		case 1:
			v[i] = runtime.DeepCopyJSONValue(v[j])
		case 2:
			v[i] = changed(rng, v[i])
		default:
			return mutateBelow(rng, v[i])
		}
		return true
	}
	return false
}

// changed returns a value similar to the given one, or one of another type.
func changed(rng *rand.Rand, v any) any {
	switch v := v.(type) {
	case string:
		return []any{
			v + "x", "", v + v, strings.ToUpper(v), int64(1), nil, "a.b", "10%",
		}[rng.IntN(8)]
	case int64:
		return []any{v + 1, -v, int64(0), int64(70000), 1.5, "1", nil, true}[rng.IntN(8)]
	case bool:
		return []any{!v, !v, !v, "true", nil}[rng.IntN(5)]
	case []any:
		double := append(runtime.DeepCopyJSONValue(v).([]any),
			runtime.DeepCopyJSONValue(v).([]any)...)
		return []any{[]any{}, double, double, nil, map[string]any{}, "x"}[rng.IntN(6)]
	case map[string]any:
		return []any{map[string]any{}, map[string]any{}, nil, []any{}, "x"}[rng.IntN(5)]
	}
	return "x"
}
