package celrules

import (
	"strings"
	"testing"
	"unicode"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Failures take room with their paths and texts. One that has none left ends
// the rules with an error that says so.
func TestFailuresAreBounded(t *testing.T) {
	w := &walker{ctx: t.Context()}
	long := field.Invalid(field.NewPath(strings.Repeat("k", FindingsMemory/3)), nil, "")
	for n := range 5 {
		if goes := w.goesOn(); goes != (n < 3) {
			t.Errorf("after %d failures it goes on: %t", n, goes)
		}
		w.keep(&w.result.Errors, long)
	}
	last := w.result.Errors[len(w.result.Errors)-1]
	if n := len(w.result.Errors); n != 3 || last.Type != field.ErrorTypeInternal ||
		!strings.Contains(last.Detail, "64 MiB") {
		t.Errorf("%d errors, the last one %v", n, last.Detail)
	}
	if w.goesOn() {
		t.Error("rules go on without room")
	}
}

// A finding that fills the room is kept, and one byte more is not.
func TestRoom(t *testing.T) {
	for over, fits := range []bool{true, false} {
		w := &walker{ctx: t.Context()}
		if !w.takes(1) || w.takes(FindingsMemory-2*perFinding-1+over) != fits ||
			w.goesOn() != fits || len(w.result.Errors) != over {
			t.Errorf("%d bytes more: %v", over, w.result.Errors)
		}
	}
	x := Explanation{Field: "abc", Rule: "d", Terms: []Term{{Text: "ef", Value: "g"}, {Text: "h"}}}
	if got := x.length(); got != 4+2*perFinding+4 {
		t.Errorf("an explanation takes %d", got)
	}
}

// A value is cut off after 200 characters, and not written at all from 2^18
// items on.
func TestWritten(t *testing.T) {
	list := func(n int) ref.Val {
		return types.DefaultTypeAdapter.NativeToValue(make([][]bool, n))
	}
	of := func(n int) string { return `"` + strings.Repeat("é", n) }
	for want, v := range map[string]ref.Val{
		of(198) + `"`: types.String(of(198)[1:]), of(199) + "…": types.String(of(199)[1:]), "…": list(maxNodes - 1),
		"[" + strings.Repeat("[], ", 49) + "[],…": list(maxNodes - 2),
	} {
		if got, failed := written(v); got != want || failed {
			t.Errorf("%s, want %s", got, want)
		}
	}
	for c := range rune(128) {
		is := c == '_' || c == '.' || unicode.IsLetter(c) || unicode.IsDigit(c)
		if isInName(c) != is {
			t.Errorf("%q is in a name: %t", c, !is)
		}
	}
}
