package edit_test

import (
	"strings"
	"testing"
)

// A list of required fields names a field however it is written, up to its end.
func TestReferencesOfRequired(t *testing.T) {
	for list, want := range map[string]int{
		"[min-size]": 6, "[ since, min-size ]": 6, "[\"min-size\"]": 6, "[since]": 5, "[]": 5,
		"[\n              min-size\n]":                     6,
		"[\n              since,\n              min-size]": 6,
		"[\n              since\n              ]":          5,
		"\n            - since\n            - min-size":    6,
		"\n            - since":                            5,
		"\n            - min-size-two":                     5,
	} {
		text := strings.Replace(ruled, "required: [min-size]", "required: "+list, 1)
		text, at := cut(t, strings.Replace(text, "  min-size:\n", "  min‸-size:\n", 1))
		if found := workspace(t, text).References("x.yaml", at); len(found) != want {
			t.Errorf("%q: %d references, want %d: %v", list, len(found), want, found)
		}
	}
	w := workspace(t, ruled)
	for _, line := range []int{-1, 0, 9999} {
		if found := w.References("x.yaml", at(line, 0)); found != nil {
			t.Errorf("line %d: %v", line, found)
		}
	}
}
