package jsonvalue_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
)

// With copies what it changes, and makes maps that are missing.
func TestWith(t *testing.T) {
	object := map[string]any{"a": map[string]any{"b": "old", "c": true}}
	changed := jsonvalue.With(object, "new", "a", "b")
	changed = jsonvalue.With(changed, int64(1), "d", "e")
	want := map[string]any{
		"a": map[string]any{"b": "new", "c": true}, "d": map[string]any{"e": int64(1)},
	}
	if diff := cmp.Diff(want, changed); diff != "" {
		t.Error(diff)
	}
	if got := jsonvalue.At(object, "a", "b"); got != "old" {
		t.Errorf("the argument has %v", got)
	}
	if got := jsonvalue.At(object, "a", "b", "c"); got != nil {
		t.Errorf("below a string there is %v", got)
	}
}
