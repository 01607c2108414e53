package edit_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A definition that goes is not known any more, a file of objects does not
// matter.
func TestRemoveForgets(t *testing.T) {
	w := workspace(t, head+"spec:\n  image: x\n")
	w.Remove("missing.yaml")
	w.Remove("other.yaml")
	if w.Hover(t.Context(), "x.yaml", at(5, 3)) == "" {
		t.Error("the definition is gone")
	}
	w.Remove("crd.yaml")
	if got := w.Hover(t.Context(), "x.yaml", at(5, 3)); got != "" {
		t.Errorf("the definition is still known: %s", got)
	}
	if w.Remove("x.yaml"); w.Text("x.yaml") != "" {
		t.Error("the text is still known")
	}
}

// Objects of other files tell which keys a map has, and which of them a rule
// refuses, also if they were never opened.
func TestObjectsOfOtherFiles(t *testing.T) {
	text, cursor := cut(t, head+"spec:\n  image: x\n  labels:\n    a: x\n    ‸\n")
	w := workspace(t, text)
	w.Set("other.yaml", head+"spec: {image: x, min: 3, max: 2, labels: {a: x, b: z}}\n")
	w.Prepare(t.Context(), "crd.yaml", func() string { return crd })
	var got []string
	for _, c := range w.Complete(t.Context(), "x.yaml", cursor) {
		got = append(got, c.Label)
	}
	if diff := cmp.Diff([]string{"b"}, got); diff != "" {
		t.Error(diff)
	}
	lines := strings.Split(crd, "\n")
	line := slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, "self.min") })
	on := at(line, strings.Index(lines[line], "min"))
	if got := w.Hover(t.Context(), "crd.yaml", on); !strings.Contains(got, "(other.yaml:1)") {
		t.Errorf("the rule: %s", got)
	}
	w.Set("crd.yaml", strings.Replace(crd, "self.min <=", "self.min <= <=", 1))
	if got := w.Hover(t.Context(), "crd.yaml", on); !strings.HasSuffix(got, "does not compile.") {
		t.Errorf("a rule that does not compile: %s", got)
	}
}
