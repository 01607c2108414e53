package celrules

import (
	"strings"
	"testing"

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
