package advice_test

import (
	"encoding/json"
	"testing"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/kit/advice"
	"github.com/crdsem/crdsem/structural"
)

// A hint is the same each time and readable, whatever the error says.
func FuzzHints(f *testing.F) {
	const schema = `{"type":"object","properties":{"spec":{"type":"object","properties":{
		"image":{"type":"string","pattern":"^a+$","maxLength":3,"format":"ipv4"},
		"sizes":{"type":"array","items":{"type":"integer","enum":[1,2]}}}}}}`
	for _, rule := range []string{
		"VAL-020", "VAL-040", "VAL-060", "VAL-081", "VAL-082", "CEL-090",
	} {
		f.Add(schema, `{"spec":{"imge":"b","sizes":[3]}}`, rule, "spec.sizes[0]", "is odd")
	}
	for _, rule := range []string{"STR-047", "CRD-210", "CRD-222", "CRD-140"} {
		f.Add(schema, `{"spec":{"versions":[{"schema":{"openAPIV3Schema":{"typ":"object"}}}]}}`,
			rule, "spec.versions[0].schema.openAPIV3Schema", "undefined field 'a'")
	}
	f.Add(schema, `{"spec":{"imge":"b"}}`, "", "spec.imge", `unknown field "spec.imge"`)
	f.Fuzz(func(t *testing.T, schema, object, rule, path, detail string) {
		var node, value map[string]any
		_ = json.Unmarshal([]byte(schema), &node)
		_ = json.Unmarshal([]byte(object), &value)
		first, again := hints(t, node, value, rule, path, detail),
			hints(t, node, value, rule, path, detail)
		for i := range first {
			if first[i] != again[i] {
				t.Errorf("%q, then %q", first[i], again[i])
			}
			if utf8.ValidString(schema+object+rule+path+detail) && !utf8.ValidString(first[i]) {
				t.Errorf("%q is cut in a letter", first[i])
			}
		}
	})
}

// hints returns all hints on one error, as one of an object and of a
// definition.
func hints(
	t *testing.T, schema, value map[string]any, rule, path, detail string,
) (all []string) {
	t.Helper()
	structure, _ := structural.FromMap(schema)
	err := &field.Error{Field: path, Detail: detail, Origin: rule, BadValue: value["spec"]}
	o := &advice.Object{Schema: structure, Object: value, Old: schema}
	all = append(all, o.Hint(t.Context(), err), o.Warning(t.Context(), detail))
	for _, document := range []map[string]any{schema, value} {
		d := &advice.Definition{Document: document}
		all = append(all, d.Hint(t.Context(), err), d.Warning(t.Context(), detail))
		all = append(all, d.Silent(t.Context())...)
	}
	return all
}
