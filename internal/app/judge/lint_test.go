package judge_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/internal/app/judge"
	"github.com/crdsem/crdsem/internal/app/verdict"
	"github.com/crdsem/crdsem/kit/advice/lint"
)

// withFields returns the definition of hosts with lines of properties instead
// of its own, the first of which is on line 16.
func withFields(lines ...string) string {
	head, _, _ := strings.Cut(hosts, "          port")
	return head + "          " + strings.Join(lines, "\n          ") + "\n"
}

// found returns severity, place and rule of each finding of a result.
func found(r *verdict.Result) string {
	var all []string
	for _, f := range r.Findings {
		all = append(all, fmt.Sprintf("%s %d:%d %s", f.Severity, f.Line, f.Column, f.Rule))
	}
	return strings.Join(all, ", ")
}

// Findings of lint are left out by settings, by a comment at the place or right
// above it, and by an annotation.
func TestLint(t *testing.T) {
	const field, finding = "a: {type: string, pattern: 'a^'}", "error 16:38 LINT-pattern"
	const comment = " # crdsem:ignore LINT-length, LINT-pattern: because"
	annotated := func(ids string) string {
		return strings.Replace(withFields(field), "metadata: {",
			"metadata: {annotations: {crdsem/ignore: '"+ids+"'}, ", 1)
	}
	for name, c := range map[string]struct {
		settings   lint.Settings
		text, want string
	}{
		"not asked for": {nil, withFields(field), ""},
		"an error":      {lint.Settings{}, withFields(field), finding},
		"a warning": {lint.Settings{"LINT-pattern": lint.Warning}, withFields(field),
			"warning 16:38 LINT-pattern"},
		"off":              {lint.Settings{"LINT-pattern": lint.Off}, withFields(field), ""},
		"a comment":        {lint.Settings{}, withFields(field + comment), ""},
		"of another check": {lint.Settings{}, withFields(field + " # crdsem:ignore LINT-length"), finding},
		"of no check": {lint.Settings{}, withFields(field + " # crdsem:ignore LINT-patterns"),
			"warning 16:1 , " + finding},
		"another comment": {lint.Settings{}, withFields(field + " # LINT-pattern"), finding},
		"above":           {lint.Settings{}, withFields(comment, "# why", field), ""},
		"further up": {lint.Settings{}, withFields(comment, "b: {type: string}", field),
			"error 18:38 LINT-pattern"},
		"an annotation": {lint.Settings{}, annotated("LINT-length LINT-pattern"), ""},
		"of another":    {lint.Settings{}, annotated("LINT-length"), finding},
		"of none":       {lint.Settings{}, annotated("LINT-lengths"), "warning 3:41 , " + finding},
		"a key":         {lint.Settings{}, withFields("y: {type: string}"), "warning 16:11 LINT-boolean"},
	} {
		_, results := panel(t, judge.Judge{Lint: c.settings}, "1.37", c.text)
		if got := found(results[0]); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// The server's warnings about formats name no field. They get the places of the
// formats, in the order of keys.
func TestFormats(t *testing.T) {
	_, results := panel(t, judge.Judge{}, "1.37", withFields(
		"b: {type: array, items: {type: string, format: dat}}",
		"a: {type: string, format: other-than-all}",
		"aa: {type: object, default: {format: dat}, properties: {format: {type: string}}}",
	))
	const at = "spec.versions[0].schema.openAPIV3Schema.properties"
	want := []string{
		at + "[a].format 17:37 the server ignores the format; a pattern or a rule can check the value",
		at + "[b].items.format 16:58 did you mean `date`? The server ignores this one",
	}
	var got []string
	for _, f := range results[0].Findings {
		got = append(got, fmt.Sprintf("%s %d:%d %s", f.Field, f.Line, f.Column, f.Hint))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
