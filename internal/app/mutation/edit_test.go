package mutation

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
)

// decoded returns a value of JSON.
func decoded(t *testing.T, text string) any {
	t.Helper()
	object, _, err := jsonvalue.DecodeObject([]byte(`{"value": ` + text + `}`))
	if err != nil {
		t.Fatal(err)
	}
	return object["value"]
}

// A copy is edited, and what does not change is as it was.
func TestEdited(t *testing.T) {
	const text = `{"a": [{"b": 1}, {"b": {"c": 2}}], "d": 3}`
	value := decoded(t, text)
	for _, c := range []struct {
		want  string
		steps []any
	}{
		{`{"a": [{"b": 1}, {"b": {"c": 2}}], "d": 3, "new": true}`, nil},
		{`{"a": [{"b": 1, "new": true}, {"b": {"c": 2}}], "d": 3}`, []any{"a", 0}},
		{`{"a": [{"b": 1}, {"b": {"c": 2, "new": true}}], "d": 3}`, []any{"a", 1, "b"}},
		{text, []any{"d", "e"}},
	} {
		got := edited(value, c.steps, func(node map[string]any) { node["new"] = true })
		if diff := cmp.Diff(decoded(t, c.want), got); diff != "" {
			t.Errorf("%v (-want +got):\n%s", c.steps, diff)
		}
		if diff := cmp.Diff(decoded(t, text), value); diff != "" {
			t.Errorf("%v: the value changed: %s", c.steps, diff)
		}
	}
}

// What is left out of a definition for trials: descriptions, rules, and the
// schemas of versions that no case needs. Values of defaults and enums stay.
func TestWithoutKeys(t *testing.T) {
	const kept = `"default": {"description": "d", "x-kubernetes-validations": []},
		"enum": [{"description": "e"}], "properties": {"description": {"type": "string"},
		"x-kubernetes-validations": {"type": "object"}}`
	schema := decoded(t, `{"description": "f", "x-kubernetes-validations": [{"rule": "r"}],
		"items": [{"description": "g"}, 3], `+kept+`}`)
	for _, c := range []struct {
		want string
		got  any
	}{
		{`{"x-kubernetes-validations": [{"rule": "r"}], "items": [{}, 3], ` + kept + `}`,
			withoutKeys(schema, isDescription)},
		{`{"description": "f", "items": [{"description": "g"}, 3], ` + kept + `}`,
			withoutRules(asObject(schema))},
		{`{"spec": {"versions": [{"name": "a", "storage": true}, {"name": "b"},
			{"name": "c", "schema": {"openAPIV3Schema": {"type": "object",
			"x-kubernetes-preserve-unknown-fields": true}}}]}}`,
			withoutVersions(asObject(decoded(t, `{"spec": {"versions": [
				{"name": "a", "storage": true}, {"name": "b"}, {"name": "c"}]}}`)), []string{"b"})},
	} {
		if diff := cmp.Diff(asObject(decoded(t, c.want)), asObject(c.got)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

func asObject(value any) map[string]any {
	object, _ := value.(map[string]any)
	return object
}

func TestMovedBy(t *testing.T) {
	for _, c := range []struct {
		value any
		by    int64
		want  any
	}{
		{int64(3), 1, int64(4)}, {int64(0), -1, int64(-1)}, {1.5, 1, 2.5}, {1e300, 1, nil},
		{int64(math.MaxInt64), -1, nil}, {int64(math.MinInt64), 1, nil}, {"3", 1, nil},
		{int64(math.MaxInt64 - 1), 1, int64(math.MaxInt64)},
	} {
		moved, ok := movedBy(c.value, c.by)
		if ok != (c.want != nil) || ok && moved != c.want {
			t.Errorf("%v by %d: %v, %t", c.value, c.by, moved, ok)
		}
	}
}

// Another default has the type of the first one, and is admitted.
func TestOtherDefault(t *testing.T) {
	for _, c := range []struct {
		schema string
		value  any
		want   any
	}{
		{`{"enum": ["a", "b", "c"]}`, "a", "b"}, {`{"enum": ["a", "b", "c"]}`, "c", "a"},
		{`{"type": "string", "enum": ["a"]}`, "a", nil}, {`{}`, true, false}, {`{}`, false, true},
		{`{"type": "integer"}`, int64(1), int64(2)}, {`{"type": "number"}`, 1.5, 2.5},
		{`{"type": "integer", "maximum": 1}`, int64(1), int64(0)},
		{`{"type": "integer", "maximum": 1, "minimum": 1}`, int64(1), nil},
		{`{"type": "string"}`, "a", "ax"}, {`{"type": "string", "pattern": "^.$"}`, "a", "x"},
		{`{"type": "string", "pattern": "^a$"}`, "a", nil}, {`{}`, nil, nil},
		{`{"type": "object"}`, map[string]any{}, nil},
	} {
		got := otherDefault(asObject(decoded(t, c.schema)), c.value)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s, %v: %s", c.schema, c.value, diff)
		}
	}
}

// Errors of a definition, also of one that does not decode.
func TestServerErrors(t *testing.T) {
	for text, want := range map[string]int{`{"spec": 3}`: 1, `{"spec": {}}`: 9} {
		got := serverErrors(t.Context(), asObject(decoded(t, text)))
		if len(got) != want {
			t.Errorf("%s: %d errors: %v", text, len(got), got)
		}
		for message, isThere := range got {
			if message == "" || !isThere {
				t.Errorf("%s: %q %t", text, message, isThere)
			}
		}
	}
}

// A cache is shared by mutants, and replaced before it keeps too many.
func TestSharedCache(t *testing.T) {
	used := &trial{cache: &crdsem.Cache{}}
	first := used.cache
	for range maxUses - 1 {
		if used.sharedCache() != first {
			t.Fatalf("replaced after %d mutants", used.uses)
		}
	}
	second := used.sharedCache()
	if second == first || used.sharedCache() != second {
		t.Errorf("not replaced once after %d mutants", maxUses)
	}
}
