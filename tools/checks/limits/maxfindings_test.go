package limits_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/test/requests"
)

// manyFindings are fields that can have many findings of each kind.
const manyFindings = `
"d":{"type":"array","items":{"type":"object","properties":{"d":{"type":"string","default":"x"}}}},
"n":{"type":"array","items":{"type":"object","properties":{"n":{"type":"string"}}}},
"t":{"type":"array","items":{"type":"integer","maximum":0}},
"r":{"type":"array","maxItems":50,"items":{"type":"string",
"x-kubernetes-validations":[{"rule":"self == ''"}]}}`

// repeated returns a list with an item many times.
func repeated(n int, item string) string {
	return "[" + strings.TrimSuffix(strings.Repeat(item+",", n), ",") + "]"
}

// Each list of a result ends at MaxFindings, and the result says how much more
// there is. The verdict is the same.
func TestMaxFindings(t *testing.T) {
	v := growingVersion(t, manyFindings)
	const n, most = 7, 3
	old := map[string]any{"apiVersion": "g.io/v1", "kind": "K",
		"metadata": map[string]any{"name": "n"}, "spec": map[string]any{"t": slices.Repeat([]any{int64(1)}, n)}}
	strict := crdsem.FieldValidation(crdsem.Strict)
	for name, tc := range map[string]struct {
		fields  string
		old     map[string]any
		read    bool
		options []crdsem.Option
		want    crdsem.Omitted
		says    string
	}{
		"unknown": {fields: `"d":` + repeated(n, `{"d":"","u":1}`),
			want: crdsem.Omitted{Pruned: n - most, Changes: n - most, Warnings: n - most}},
		"unknown, Strict": {fields: `"d":` + repeated(n, `{"d":"","u":1}`),
			options: []crdsem.Option{strict}, want: crdsem.Omitted{Pruned: n - most, Changes: n - most},
			says: `unknown field "spec.d[2].u", and 4 more`},
		"duplicates": {fields: `"d":` + repeated(n, `{"d":"","d":""}`),
			want: crdsem.Omitted{Warnings: n - most}},
		"duplicates, Strict": {fields: `"d":` + repeated(n, `{"d":"","d":""}`),
			options: []crdsem.Option{strict}, says: `duplicate field "spec.d[2].d", and 4 more`},
		"defaults": {fields: `"d":` + repeated(n, `{}`),
			want: crdsem.Omitted{Defaulted: n - most, Changes: n - most}},
		"nulls": {fields: `"n":` + repeated(n, `{"n":null}`),
			want: crdsem.Omitted{Changes: n - most}},
		"errors": {fields: `"t":` + repeated(n, `1`),
			want: crdsem.Omitted{Errors: n - most}, says: "or equal to 0, and 4 more]"},
		"ratcheted": {fields: `"t":` + repeated(n, `1`), old: old,
			want: crdsem.Omitted{Ratcheted: n - most}},
		"rules": {fields: `"r":` + repeated(n, `"a"`), says: "and 4 more]",
			options: []crdsem.Option{crdsem.ExplainFailures()},
			want:    crdsem.Omitted{Errors: n - most, Explanations: n - most}},
		"read, unknown": {fields: `"d":` + repeated(n, `{"d":"","u":1}`), read: true,
			want: crdsem.Omitted{Pruned: n - most, Changes: n - most}},
		"read, defaults": {fields: `"d":` + repeated(n, `{}`), read: true,
			want: crdsem.Omitted{Defaulted: n - most, Changes: n - most}},
	} {
		t.Run(name, func(t *testing.T) {
			body := fmt.Appendf(nil, `{"apiVersion":"g.io/v1","kind":"K","metadata":`+
				`{"name":"n"},"spec":{%s}}`, tc.fields)
			request := crdsem.Request{Body: body, Old: tc.old}
			if tc.read {
				stored := requests.Object(t, string(body))
				request = crdsem.Request{Verb: crdsem.VerbRead, Old: stored}
			}
			whole := v.Do(t.Context(), request, tc.options...)
			got := v.Do(t.Context(), request, append(tc.options, crdsem.MaxFindings(most))...)
			if diff := cmp.Diff(tc.want, got.Omitted); diff != "" {
				t.Error(diff)
			}
			if got.Stage != whole.Stage || whole.Omitted != (crdsem.Omitted{}) {
				t.Errorf("%s, without the option %s and %+v", got.Stage, whole.Stage, whole.Omitted)
			}
			if tc.says != "" && !strings.HasSuffix(got.Err().Error(), tc.says) {
				t.Errorf("%v, want %s", got.Err(), tc.says)
			}
			if diff := cmp.Diff(lengths(whole), addedUp(lengths(got), got.Omitted)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// lengths returns the lengths of the lists of a result, as numbers of what they
// have.
func lengths(r *crdsem.Result) crdsem.Omitted {
	return crdsem.Omitted{Errors: len(r.Errors), Ratcheted: len(r.Ratcheted),
		Warnings: len(r.Warnings), Explanations: len(r.Explanations), Changes: len(r.Provenance),
		Pruned: len(r.Pruned), Defaulted: len(r.Defaulted)}
}

func addedUp(a, b crdsem.Omitted) crdsem.Omitted {
	return crdsem.Omitted{Errors: a.Errors + b.Errors, Ratcheted: a.Ratcheted + b.Ratcheted,
		Warnings: a.Warnings + b.Warnings, Explanations: a.Explanations + b.Explanations,
		Changes: a.Changes + b.Changes, Pruned: a.Pruned + b.Pruned,
		Defaulted: a.Defaulted + b.Defaulted}
}
