package structural_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/crdsem/crdsem/structural"
)

func TestPointer(t *testing.T) {
	object := map[string]any{
		"a":  []any{map[string]any{"x/y": int64(1), "~": nil}},
		"":   map[string]any{"": "empty"},
		"/b": true,
	}
	for _, c := range []struct {
		keys []string
		text structural.Pointer
		want string
	}{
		{nil, "", fmt.Sprint(object, " true")},
		{[]string{"a", "0", "x/y"}, "/a/0/x~1y", "1 true"},
		{[]string{"a", "0", "~"}, "/a/0/~0", "<nil> true"},
		{[]string{"", ""}, "//", "empty true"},
		{[]string{"/b"}, "/~1b", "true true"},
		{[]string{"a", "1"}, "/a/1", "<nil> false"},
		{[]string{"a", "-1"}, "/a/-1", "<nil> false"},
		{[]string{"a", "x"}, "/a/x", "<nil> false"},
		{[]string{"b"}, "/b", "<nil> false"},
		{[]string{"/b", "c"}, "/~1b/c", "<nil> false"},
	} {
		var p structural.Pointer
		for _, key := range c.keys {
			p = p.Append(key)
		}
		if p != c.text || !slices.Equal(slices.Collect(p.Keys()), c.keys) {
			t.Errorf("%q: %q, want %q", c.keys, p, c.text)
		}
		if got := fmt.Sprintln(p.Value(object)); got != c.want+"\n" {
			t.Errorf("%q: %s, want %s", p, got, c.want)
		}
	}
	for range structural.Pointer("/a/b").Keys() {
		break
	}
}
