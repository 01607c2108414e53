package builtin_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/kit/builtin"
	"github.com/crdsem/crdsem/minors"
)

// The schemas of a kind are whole: they are JSON, and each that one refers to
// is there.
func TestModels(t *testing.T) {
	for _, m := range []minors.Minor{"1.30", minors.Newest()} {
		for _, k := range builtin.Kinds(m) {
			name, schemas := k.Models()
			var own map[string]any
			if err := json.Unmarshal(schemas[name], &own); err != nil {
				t.Fatalf("%v: %v", k.Type, err)
			}
			kinds, _ := own["x-kubernetes-group-version-kind"].([]any)
			if len(kinds) != 1 || jsonvalue.At(kinds[0], "kind") != k.Kind ||
				jsonvalue.At(kinds[0], "version") != k.Version || own["properties"] == nil {
				t.Errorf("%v: %v", k.Type, own)
			}
			for of, schema := range schemas {
				if !json.Valid(schema) {
					t.Errorf("%v: %s: %s", k.Type, of, schema)
				}
				for _, after := range strings.Split(string(schema), `"$ref":"`)[1:] {
					ref, _, _ := strings.Cut(after, `"`)
					target, ok := strings.CutPrefix(ref, "#/components/schemas/")
					if !ok || schemas[target] == nil {
						t.Errorf("%v: %s: %s is not there", k.Type, of, ref)
					}
				}
			}
		}
	}
}
