package merge

import (
	"errors"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/structural"
)

// An apply by kubectl updates the annotation of its client-side apply, if there
// is one and it is not too long.
func TestUpdateLastApplied(t *testing.T) {
	const wanted = `{"metadata":{"annotations":{"a":"b"}},"spec":1}` + "\n"
	long := strings.Repeat("x", maxAnnotationBytes)
	for _, c := range []struct {
		name, manager, before, other, want string
	}{
		{"by kubectl", "kubectl", "old", "", wanted},
		{"by another manager", "other", "old", "", "old"},
		{"without an annotation", "kubectl", "", "", ""},
		{"by another one, without an annotation", "other", "", "", ""},
		{"as long as it may be", "kubectl", "old",
			long[len("other")+len(lastAppliedAnnotation)+len(wanted):], wanted},
		{"a byte longer", "kubectl", "old",
			long[len("other")+len(lastAppliedAnnotation)+len(wanted)-1:], ""},
	} {
		annotations := map[string]any{}
		if c.before != "" {
			annotations[lastAppliedAnnotation] = c.before
		}
		if c.other != "" {
			annotations["other"] = c.other
		}
		applied := map[string]any{"spec": int64(1), "metadata": map[string]any{
			"annotations": map[string]any{"a": "b", lastAppliedAnnotation: "sent"},
		}}
		result := map[string]any{"metadata": map[string]any{"annotations": annotations}}
		updateLastApplied(result, applied, Request{Manager: c.manager})
		if got := stringAt(annotations, lastAppliedAnnotation); got != c.want {
			t.Errorf("%s: got %.200q, want %q", c.name, got, c.want)
		}
		if stringAt(annotationsOf(applied), lastAppliedAnnotation) != "sent" {
			t.Errorf("%s: the applied object was changed", c.name)
		}
	}
}

// A type is missing for another version or kind, with the server's text.
func TestMissingType(t *testing.T) {
	r := &FieldManager{kind: "K", versions: map[string]Version{}}
	for object, want := range map[*map[string]any]string{
		{"apiVersion": "g.io/v1", "kind": "L"}: "no corresponding type for g.io/v1, Kind=L",
		{"apiVersion": "v1", "kind": "K"}:      "no corresponding type for /v1, Kind=K",
		{"apiVersion": "a/b/c"}:                "no corresponding type for /, Kind=",
	} {
		_, err := r.typed(*object)
		if _, ok := errors.AsType[*missingType](err); !ok || err.Error() != want {
			t.Errorf("%v: %v, want %s", object, err, want)
		}
	}
}

func TestChangesEmpty(t *testing.T) {
	one := []string{".a"}
	for _, c := range []struct {
		changes Changes
		want    bool
	}{
		{Changes{}, true}, {Changes{Added: one}, false}, {Changes{Removed: one}, false},
		{Changes{Modified: one}, false}, {Changes{Before: map[string]any{".a": 1}}, true},
	} {
		if got := c.changes.Empty(); got != c.want {
			t.Errorf("%+v: %v", c.changes, got)
		}
	}
}

// Without a schema an object that is empty or nil is merged as one without
// fields. The schema is written in the language of the library.
func TestTypeOfNoSchema(t *testing.T) {
	typ := Compile(nil)
	got, err := typ.Merge(nil, nil)
	if err != nil || got == nil || len(got) != 0 {
		t.Errorf("got %v, %v", got, err)
	}
	text, err := Compile(&structural.Schema{}).SchemaYAML()
	if err != nil || !strings.Contains(string(text), "name: root") {
		t.Errorf("got %s, %v", text, err)
	}
}
