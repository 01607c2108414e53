package celrules

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/chapter/ruleoptions"
	"github.com/crdsem/crdsem/structural"
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

// A name has letters, digits, _ and dots. A message has one line of 5 KiB at
// most. A span that is not known adds nothing.
func TestTexts(t *testing.T) {
	const inName = "_.0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	for c := range rune(300) {
		if isInName(c) != strings.ContainsRune(inName, c) {
			t.Errorf("%q is in a name: %t", c, isInName(c))
		}
	}
	most := strings.Repeat("x", 5<<10)
	for text, want := range map[string]string{
		most: most, most + "x": "", " " + most + "\n": most, "a\nb": "", "\n a ": "a", "": "",
	} {
		if got := usableMessage(text); got != want {
			t.Errorf("%.10q of %d: %.10q", text, len(text), got)
		}
	}
	none := span{from: -1}
	for _, c := range [][3]span{
		{none, none, none}, {none, {0, 2}, {0, 2}}, {{0, 2}, none, {0, 2}}, {{1, 2}, {0, 3}, {0, 3}},
		{{0, 3}, {1, 2}, {0, 3}}, {{0, 1}, {2, 3}, {0, 3}},
	} {
		if got := c[0].with(c[1]); got.from != c[2].from || got.from >= 0 && got != c[2] {
			t.Errorf("%v with %v: %v, want %v", c[0], c[1], got, c[2])
		}
	}
	for text, want := range map[string]string{
		"no such overload: optional_type(optional_type)": "no such overload: optional(optional)",
		"x: optional_type":                           "x: optional_type",
		"was given optional_type, not optional_type": "was given optional, not optional_type",
		"no formatting function for optional_type":   "no formatting function for optional",
	} {
		if got := formerTypeNames(text); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// What is reused holds nothing of the object before. Equal schemas share a plan.
func TestReuse(t *testing.T) {
	schema, err := structural.Parse([]byte(`{"type":"string","x-kubernetes-validations":[
		{"rule":"self == 'a'"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	cache := new(Cache)
	inner := func(o *ruleoptions.Compile) { o.Inner = true }
	r, again := Compile(schema, InCache(cache), inner), Compile(schema, InCache(cache), inner)
	if r.root == nil || r.root != again.root {
		t.Error("the plan is not shared")
	}
	compiled, err := r.root.compile(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	v := newVariables("a", compiled.node)
	v.old = "b"
	holds, cost, err := v.evalBool(t.Context(), compiled.programs[0].Expression, r.limits)
	if !holds || cost != 2 || err != nil {
		t.Errorf("%t, %d, %v", holds, cost, err)
	}
	if v.release(); !reflect.DeepEqual(*v, variables{}) {
		t.Errorf("%+v is left", *v)
	}
	w := newWalker(t.Context(), r, nil)
	f := w.frame(nil, byIndex, "a", r.root)
	f.index, f.oldKnown = 1, true
	w.drop(f)
	if w.result.Cost = 1; w.frame(f, atRoot, "b", r.root) != f || f.index != 0 || f.oldKnown {
		t.Errorf("another frame: %+v", f)
	}
	w.drop(f)
	w.release()
	if len(w.free) != 1 || w.ctx != nil || w.rules != nil || w.result.Cost != 0 {
		t.Errorf("%+v is left", w)
	}
}
