package limits_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/crdsem/crdsem"
)

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
	v := growingVersion(t, fields)
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
			if made := allocated(func() {
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
	v := growingVersion(t, `"m":{"type":"object","additionalProperties":{"type":"object"}}`)
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
