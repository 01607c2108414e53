package edit_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Hover lists each constraint of a field.
func TestHoverOfConstraints(t *testing.T) {
	for schema, want := range map[string]string{
		"{type: string, nullable: true, minLength: 1, maxLength: 3, pattern: '^a'}": "string, " +
			"required, nullable\n- pattern: `^a`\n- least length: `1`\n- greatest length: `3`",
		"{type: string, format: date, default: x}": "string\n- default: `\"x\"`\n- format: `date`",
		"{type: integer, minimum: 0, maximum: 9, multipleOf: 3}": "integer\n- minimum: `0`" +
			"\n- maximum: `9`\n- multiple of: `3`",
		"{type: array, minItems: 1, maxItems: 2, items: {type: string, enum: [a]}}": "list of string" +
			"\n- fewest items: `1`\n- most items: `2`",
		"{type: object, minProperties: 1, maxProperties: 2, " +
			"additionalProperties: {type: string}}": "map of string\n- fewest fields: `1`\n- most fields: `2`",
		"{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [a, b], items: " +
			"{type: object, required: [a, b], properties: {a: {type: string}, b: {type: string}}}}": "list" +
			" of object\n- items are told apart by a, b\n- unknown fields: removed",
		"{type: boolean, enum: [true], x-kubernetes-validations: [{rule: self}]}": "boolean" +
			"\n- value: `true`\n\n```cel\nself\n```\n(cost 1 of 10,000,000)",
	} {
		w := workspace(t, head+"spec:\n  image: x\n")
		changed := strings.Replace(crd, "{type: string, description: The image to run.}", schema, 1)
		w.Set("crd.yaml", changed)
		got := w.Hover(t.Context(), "x.yaml", at(5, 3))
		if !strings.Contains(want, "required") {
			want = strings.Replace(want, "\n", ", required\n", 1)
		}
		if diff := cmp.Diff("**image**: "+want, got); diff != "" {
			t.Errorf("%s: %s", schema, diff)
		}
	}
}

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

// The dash of an item below a keyword has no name to show.
func TestHoverOfDash(t *testing.T) {
	item := "- run"
	changed := strings.Replace(crd, "{type: string, description: The image to run.}",
		strings.Join([]string{"", "type: string", "enum:", item}, "\n                "), 1)
	w := workspace(t, head)
	w.Set("crd.yaml", changed)
	before, _, _ := strings.Cut(changed, item)
	if got := w.Hover(t.Context(), "crd.yaml", at(strings.Count(before, "\n"), 16)); got != "" {
		t.Errorf("at the dash: %s", got)
	}
}
