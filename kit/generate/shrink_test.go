package generate

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Each value weighs more than those that it can be shrunk to.
func TestWeight(t *testing.T) {
	for _, c := range []struct {
		v       any
		want    int
		simpler []any
	}{
		{nil, 1, nil}, {true, 1, []any{true}}, {false, 2, []any{true}},
		{int64(0), 1, []any{int64(0), int64(1), int64(0)}},
		{int64(1), 2, []any{int64(0), int64(1), int64(0)}},
		{int64(-1), 2, []any{int64(0), int64(1), int64(0)}},
		{int64(2), 3, []any{int64(0), int64(1), int64(1)}},
		{int64(3), 3, []any{int64(0), int64(1), int64(1)}},
		{int64(-2), 3, []any{int64(0), int64(1), int64(-1)}},
		{int64(-4), 4, []any{int64(0), int64(1), int64(-2)}},
		{int64(131071), 18, []any{int64(0), int64(1), int64(65535)}},
		{int64(math.MaxInt64), 19, []any{int64(0), int64(1), int64(math.MaxInt64 / 2)}},
		{int64(math.MinInt64), 19, []any{int64(0), int64(1), int64(math.MinInt64 / 2)}},
		{0.5, 20, []any{int64(0), int64(1), 0.5, 1.5}}, {1.5, 21, []any{int64(0), int64(1), 0.5, 1.5}},
		{2.5, 30, []any{int64(0), int64(1), 0.5, 1.5}},
		{"", 2, []any{"", "a", ""}}, {"éab", 10, []any{"", "a", "é"}},
		{[]any{}, 4, []any{[]any{}}}, {[]any{true, nil}, 14, []any{[]any{}}},
		{map[string]any{}, 4, []any{map[string]any{}}},
		{map[string]any{"ab": int64(1)}, 12, []any{map[string]any{}}},
	} {
		if got := size(c.v); got != c.want {
			t.Errorf("%v weighs %d, want %d", c.v, got, c.want)
		}
		if diff := cmp.Diff(c.simpler, simpler(c.v)); diff != "" {
			t.Errorf("%v: %s", c.v, diff)
		}
	}
}

// What holds a word is shrunk to the word, from wherever it is.
func TestShrinkToWord(t *testing.T) {
	var hasWord func(v any) bool
	hasWord = func(v any) bool {
		switch v := v.(type) {
		case map[string]any:
			for _, member := range v {
				if hasWord(member) {
					return true
				}
			}
		case []any:
			for _, item := range v {
				if hasWord(item) {
					return true
				}
			}
		case string:
			return strings.Contains(v, "w")
		}
		return false
	}
	many := map[string]any{}
	for _, name := range strings.Split("abcdefghijklmnopqrstuvwxyz", "") {
		many[name] = []any{name, name}
	}
	for _, v := range []any{
		"w", "wxyz", []any{"w"}, []any{"a", "w", "b"}, []any{[]any{}, []any{"a", []any{"w"}}},
		map[string]any{"a": "w"}, map[string]any{"a": "b", "c": map[string]any{"d": []any{1.5, "w"}}},
		many, []any{map[string]any{"a": []any{"b"}}, many},
	} {
		before := size(v)
		if got := Shrink(v, hasWord); got != "w" {
			t.Errorf("%v becomes %v", v, got)
		}
		if size(v) != before {
			t.Errorf("%v was changed", v)
		}
	}
}
