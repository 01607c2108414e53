package celrules

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
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

// A finding that fills the room is kept, and one byte more is not. The length
// of an explanation is that of its field, its rule and its terms.
func TestRoom(t *testing.T) {
	for over, fits := range []bool{true, false} {
		w := &walker{ctx: t.Context()}
		if !w.takes(1) || w.takes(FindingsMemory-2*perFinding-1+over) != fits {
			t.Errorf("%d bytes more: not %t", over, fits)
		}
		if w.goesOn() != fits || len(w.result.Errors) != over || w.takes(0) {
			t.Errorf("%d bytes more: %v", over, w.result.Errors)
		}
		if w.used != FindingsMemory+over+perFinding*(1-over) {
			t.Errorf("%d bytes are used", w.used)
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
	item := types.NewRefValList(types.DefaultTypeAdapter, nil)
	for _, c := range []struct {
		value  ref.Val
		want   string
		failed bool
	}{
		{types.String(strings.Repeat("é", 198)), `"` + strings.Repeat("é", 198) + `"`, false},
		{types.String(strings.Repeat("é", 199)), `"` + strings.Repeat("é", 199) + "…", false},
		{types.NewErr("%s", strings.Repeat("x", 300)), strings.Repeat("x", 300), true},
		{types.NewRefValList(types.DefaultTypeAdapter, slices.Repeat([]ref.Val{item}, maxNodes-2)),
			"[" + strings.Repeat("[], ", 49) + "[], …"[:3] + "…", false},
		{types.NewRefValList(types.DefaultTypeAdapter, slices.Repeat([]ref.Val{item}, maxNodes-1)),
			"…", false},
	} {
		if got, failed := written(c.value); got != c.want || failed != c.failed {
			t.Errorf("%s, %t, want %s", got, failed, c.want)
		}
	}
}

// The limits and the context are recognized in errors that have them inside.
func TestKindsOfErrors(t *testing.T) {
	if isOverCallLimit(nil) || isOverMemory(nil) || isInterrupted(nil) ||
		isInterrupted(errors.New("x")) {
		t.Error("another error is taken for a limit")
	}
}
