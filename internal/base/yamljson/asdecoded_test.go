package yamljson

import (
	"math"
	"reflect"
	"testing"
	"time"
)

// What asDecoded reads without JSON text, and what it leaves to it.
func TestAsDecoded(t *testing.T) {
	nested := func(depth int) any {
		value := any("x")
		for range depth {
			value = []any{value}
		}
		return value
	}
	for _, c := range []struct {
		value, want any
		ok          bool
	}{
		{nil, nil, true},
		{true, true, true},
		{int64(1), int64(1), true},
		{1, int64(1), true},
		{"a", "a", true},
		{"\x80", "\x80", false},
		{2.0, int64(2), true},
		{2.5, 2.5, true},
		{1e30, 1e30, true},
		{math.Inf(1), math.Inf(1), false},
		{math.Inf(-1), math.Inf(-1), false},
		{uint64(1), uint64(1), false},
		{time.Time{}, time.Time{}, false},
		{[]any{}, []any{}, true},
		{[]any{1, 2.0}, []any{int64(1), int64(2)}, true},
		{[]any{1, "\x80", 2}, []any{int64(1), "\x80", 2}, false},
		{map[string]any{}, map[string]any{}, true},
		{map[string]any{"a": 1}, map[string]any{"a": int64(1)}, true},
		{map[string]any{"\x80": "a"}, map[string]any{"\x80": "a"}, false},
		{map[string]any{"a": "\x80"}, map[string]any{"a": "\x80"}, false},
		{nested(maxDepth), nested(maxDepth), true},
		{nested(maxDepth + 1), nested(maxDepth + 1), false},
		{map[string]any{"a": nested(maxDepth - 1)}, map[string]any{"a": nested(maxDepth - 1)}, true},
		{map[string]any{"a": nested(maxDepth)}, map[string]any{"a": nested(maxDepth)}, false},
	} {
		if got, ok := asDecoded(c.value, 0); !reflect.DeepEqual(got, c.want) || ok != c.ok {
			t.Errorf("%#v: %#v, %v, want %#v, %v", c.value, got, ok, c.want, c.ok)
		}
	}
	if got, ok := asDecoded(math.NaN(), 0); got == got || ok {
		t.Errorf("NaN: %v, %v", got, ok)
	}
}

// Keys that become strings. An int64 is a key where an int has 32 bits.
func TestEntries(t *testing.T) {
	for _, c := range []struct {
		key    any
		text   string
		usable bool
	}{
		{"a", "a", true},
		{12, "12", true},
		{int64(12), "12", true},
		{true, "true", true},
		{1e100, ".inf", true},
		{nil, "<nil> <nil>", false},
	} {
		if got, want := newEntry(c.key, 1), (entry{c.key, 1, c.text, c.usable}); got != want {
			t.Errorf("%#v: %#v, want %#v", c.key, got, want)
		}
	}
}
