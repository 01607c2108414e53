package upgrade_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/kit/upgrade"
)

// grouped returns a line for each cause.
func grouped(t *testing.T, old, changed []byte, with ...upgrade.Option) []string {
	t.Helper()
	report, err := upgrade.Compare(t.Context(), old, changed, with...)
	if err != nil {
		t.Fatal(err)
	}
	var changes []*upgrade.Change
	for i := range report.Changes {
		changes = append(changes, &report.Changes[i])
	}
	var lines []string
	for _, g := range upgrade.Groups(changes) {
		lines = append(lines, fmt.Sprintf("%s %d %s %v",
			g.Severity, len(g.Changes), g.Words, g.Affects))
	}
	return lines
}

// Changes of one cause are one group, and whom they hurt orders the groups.
func TestGroups(t *testing.T) {
	const list = `{"type": "array", "items": {"type": "object", "required": ["k"], "properties": {"k": {"type": "string"}}}%s}`
	const keyed = `, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"]`
	schema := func(lists, bound, more string) []byte {
		return crd(strings.ReplaceAll(fmt.Sprintf(`{"a": LIST, "b": LIST, "c": LIST, "n": {"type": "integer"%s}%s}`, bound, more), "LIST", fmt.Sprintf(list, lists)))
	}
	got := grouped(t, schema("", "", `, "gone": {"type": "string"}, "left": {"type": "string"}`),
		schema(keyed, `, "maximum": 5`, `, "new": {"type": "string"}`))
	want := []string{
		"breaking 3 became a map: items with equal keys are refused [writers]",
		"breaking 2 removed: a value is lost on the next write [writers stored objects readers]",
		"breaking 1 at most 5, was unlimited [writers]",
		"notable 3 items are merged by key [server-side apply]",
		"fine 1 new []",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Bounds with other values are one cause; a rule is one for each text.
func TestGroupsOfBoundsAndRules(t *testing.T) {
	got := grouped(t,
		crd(`{"a": {"type": "string", "maxLength": 9}, "b": {"type": "string", "maxLength": 8}, "c": {"type": "integer"}, "d": {"type": "integer"}}`),
		crd(`{"a": {"type": "string", "maxLength": 3}, "b": {"type": "string", "maxLength": 2}, "c": {"type": "integer", "x-kubernetes-validations": [{"rule": "self > 2"}]}, "d": {"type": "integer", "x-kubernetes-validations": [{"rule": "self > 3"}]}}`))
	want := []string{
		"breaking 2 a bound is narrower [writers]",
		"breaking 1 a new rule: self > 2 [writers]",
		"breaking 1 a new rule: self > 3 [writers]",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Each kind of change has words.
func TestWords(t *testing.T) {
	for _, test := range []struct{ old, changed, want string }{
		{`{"type": "string", "maxLength": 5}`, `{"type": "string", "maxLength": 3}`, "at most 3 characters, was 5"},
		{`{"type": "string", "maxLength": 5}`, `{"type": "string"}`, "not at most 5 characters any more"},
		{`{"type": "integer"}`, `{"type": "integer", "minimum": 1}`, "at least 1, was unlimited"},
		{`{"type": "string", "enum": ["a", "b"]}`, `{"type": "string", "enum": ["a"]}`, `values are gone: ["b"]`},
		{`{"type": "string", "enum": ["a"]}`, `{"type": "string", "enum": ["a", "b"]}`, `values are new: ["b"]`},
		{`{"type": "string"}`, `{"type": "string", "enum": ["a"]}`, `only some values are left: ["a"]`},
		{`{"type": "string", "enum": ["a"]}`, `{"type": "string"}`, `the enum is gone: ["a"]`},
		{`{"type": "integer"}`, `{"type": "string"}`, `another type ("string", was "integer")`},
		{`{"type": "string", "default": "a"}`, `{"type": "string", "default": "b"}`, `the default is another one ("b", was "a")`},
		{`{"type": "string", "default": "a"}`, `{"type": "string"}`, `the default is gone (was "a")`},
		{`{"type": "string"}`, `{"type": "string", "pattern": "^a"}`, `pattern admits less ("^a")`},
		{`{"type": "object", "properties": {"k": {"type": "string"}}}`, `{"type": "object", "properties": {"k": {"type": "string"}}, "x-kubernetes-map-type": "atomic"}`, "applied as a whole"},
	} {
		report, err := upgrade.Compare(t.Context(), crd(`{"a": `+test.old+`}`), crd(`{"a": `+test.changed+`}`), upgrade.Tries(0))
		if err != nil {
			t.Fatal(err)
		}
		if got := report.Changes[0].Words(); got != test.want {
			t.Errorf("%s to %s: %q, want %q", test.old, test.changed, got, test.want)
		}
	}
}
