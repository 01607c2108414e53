package jsonvalue_test

import (
	"math"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/test/allocs"
)

// Check names the first value that JSON does not have. It does not
// allocate for JSON values.
func TestCheck(t *testing.T) {
	cycle := map[string]any{}
	cycle["a"], cycle["b"] = cycle, cycle
	lists, maps := any(1), any(1)
	for range jsonvalue.MaxDepth {
		lists, maps = []any{lists}, map[string]any{"": maps}
	}
	for _, tc := range []struct {
		name  string
		value any
		want  string
	}{
		{"int", map[string]any{"b": 1, "a": []any{map[string]any{"c": int32(1)}}}, "a[0].c: a value of type int32 "},
		{"nan", []any{1.5, math.NaN()}, "[1]: JSON has no number NaN"},
		{"infinity", map[string]any{"x": math.Inf(-1)}, "x: JSON has no number -Inf"},
		{"cycle", cycle, "exceeded max depth 10000"},
		{"in 10000 lists", lists, strings.Repeat("[0]", jsonvalue.MaxDepth) + ": a value of type int "},
		{"in 10000 maps", maps, strings.Repeat(".", jsonvalue.MaxDepth-1) + ": a value of type int "},
		{"in 10001 lists", []any{lists}, "exceeded max depth 10000"},
		{"in 10001 maps", map[string]any{"": maps}, "exceeded max depth 10000"},
		{"second key", map[string]any{"a": "x", "b": 1}, "b: a value of type int "},
		{"second item", []any{"x", "\xff"}, "[1]: the string \"\\xff\" is not UTF-8"},
		{"key", map[string]any{"x": map[string]any{"a": nil, "\xff": nil}}, "x: the key \"\\xff\" is not UTF-8"},
		{"typed map", map[string]any{"labels": map[string]string{}}, "labels: a value of type map[string]string "},
	} {
		if err := jsonvalue.Check(tc.value); err == nil ||
			!strings.HasPrefix(err.Error(), tc.want) {
			t.Errorf("%s: %v, want %s", tc.name, err, tc.want)
		}
	}
	good := map[string]any{
		"a": []any{int64(1), 1.5, "x", true, nil, map[string]any{"b": map[string]any{}}},
	}
	allocs.Constant(t, "a good value", func(times int) func() {
		long := allocs.Longer(good, times)
		return func() {
			if err := jsonvalue.Check(long); err != nil {
				t.Error(err)
			}
		}
	})
}
