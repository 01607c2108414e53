package crdsem_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/test/allocs"
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
	v := requests.GrowingVersion(t, manyFindings)
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
			whole := v.Do(t.Context(), request.With(tc.options...))
			got := v.Do(t.Context(),
				request.With(append(tc.options, crdsem.MaxFindings(most))...))
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

// Findings below a long key take memory in proportion to the request, not to
// the length of the key for each of them.
func TestLongKeysAreBounded(t *testing.T) {
	const (
		fields = `"m":{"type":"object","additionalProperties":{"type":"object","properties":{
"s":{"type":"array","items":{"type":"object","properties":{"d":{"type":"string"}}}},
"e":{"type":"array","items":{"type":"object","x-kubernetes-embedded-resource":true}},
"f":{"type":"array","items":{"type":"object","properties":{"d":{"type":"string","default":"x"}}}},
"r":{"type":"array","items":{"type":"string","x-kubernetes-validations":[
{"rule":"self == ''","messageExpression":"'not ' + self"}]}},
"t":{"type":"array","items":{"type":"integer"}}}}}`
		length, findings = 200_000, 20_000
		naive            = length * findings
		most             = 600 << 20 // findings of values may take validation.FindingsMemory
	)
	v := requests.GrowingVersion(t, fields)
	level := crdsem.FieldValidation
	for _, tc := range []struct {
		line, list, item string
		options          []crdsem.Option
		says             string
	}{
		{line: "unknown fields, Strict", list: "s", item: `{"u":1}`,
			options: []crdsem.Option{level(crdsem.Strict)}, says: "more unknown fields"},
		{line: "unknown fields, Warn", list: "s", item: `{"u":1}`, says: "more unknown fields"},
		{line: "unknown fields, Ignore", list: "s", item: `{"u":1}`,
			options: []crdsem.Option{level(crdsem.Ignore)}},
		{line: "nulls", list: "s", item: `{"d":null}`},
		{line: "embedded metadata", list: "e",
			item: `{"apiVersion":"v1","kind":"X","metadata":{"name":"a","foo":1}}`},
		{line: "malformed embedded metadata", list: "e",
			item: `{"apiVersion":"v1","kind":"X","metadata":{"name":1}}`, says: "metadata"},
		{line: "defaults", list: "f", item: `{}`},
		{line: "duplicate fields", list: "s", item: `{"d":"1","d":"2"}`, says: "duplicate field"},
		{line: "rules", list: "r", item: `"a"`, says: "no further rules were run"},
		{line: "rules, explained", list: "r", item: `"a"`,
			options: []crdsem.Option{crdsem.ExplainFailures()}, says: "no further rules were run"},
		{line: "types", list: "t", item: `"a"`, says: "validation was stopped"},
	} {
		t.Run(tc.line, func(t *testing.T) {
			body := fmt.Appendf(nil, `{"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"n"},`+
				`"spec":{"m":{%q:{%q:[%s]}}}}`, strings.Repeat("k", length), tc.list,
				strings.TrimSuffix(strings.Repeat(tc.item+",", findings), ","))
			var result *crdsem.Result
			if made := allocs.Bytes(func() {
				result = v.CreateBytes(t.Context(), body, tc.options...)
			}); made > most {
				t.Errorf("%d MB were allocated, at most %d are due; %d is the product", made>>20,
					most>>20, naive>>20)
			}
			said := slices.Clone(result.Warnings)
			if err := result.Err(); err != nil {
				said = append(said, err.Error())
			}
			for _, err := range result.Errors {
				said = append(said, err.Detail)
			}
			if !strings.Contains(strings.Join(said, "\n"), tc.says) {
				t.Errorf("it does not say %q", tc.says)
			}
			if listed := len(result.Provenance) + result.Omitted.Changes; result.Admitted() &&
				tc.list != "t" && listed < findings && !strings.Contains(tc.line, "duplicate") {
				t.Errorf("%d changes are listed or counted, want %d", listed, findings)
			}
		})
	}
}

// The changes that are listed are the same in every run.
func TestOmittedChangesAreOrdered(t *testing.T) {
	v := requests.GrowingVersion(t, `"m":{"type":"object","additionalProperties":{"type":"object"}}`)
	var unknown strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&unknown, `,"u%04d":1`, i)
	}
	body := fmt.Appendf(nil, `{"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"n"},`+
		`"spec":{"m":{"%s":{%s}}}}`, strings.Repeat("k", 20_000), unknown.String()[1:])
	for range 3 {
		result := v.CreateBytes(t.Context(), body)
		if len(result.Pruned) == 0 || result.Omitted.Changes == 0 ||
			len(result.Provenance)+result.Omitted.Changes != 2000 {
			t.Fatalf("%d listed, %d omitted", len(result.Pruned), result.Omitted.Changes)
		}
		for i, path := range result.Pruned {
			if !strings.HasSuffix(path, fmt.Sprintf(".u%04d", i)) {
				t.Fatalf("unknown field %d ends with %s", i, path[len(path)-6:])
			}
		}
	}
}
