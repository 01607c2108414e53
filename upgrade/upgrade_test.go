package upgrade_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/upgrade"
)

// crd returns a definition with the properties of spec, and spec's other
// keywords.
func crd(properties string, rest ...string) []byte {
	return []byte(`{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
"metadata": {"name": "foos.example.com"},
"spec": {"group": "example.com", "scope": "Namespaced", "names": {"plural": "foos", "kind": "Foo"},
"versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema":
{"type": "object", "properties": {"spec": {"type": "object", "properties": ` + properties +
		strings.Join(rest, "") + `}}}}}]}}`)
}

func compare(t *testing.T, old, changed []byte) *upgrade.Report {
	t.Helper()
	report, err := upgrade.Compare(t.Context(), old, changed)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// Each change of a keyword has its classes, and a witness for each.
func TestKeywords(t *testing.T) {
	for _, c := range []struct {
		name, old, changed string
		want               []string
	}{
		{"equal", `{"a": {"type": "string"}}`, `{"a": {"type": "string"}}`, nil},
		{"shorter", `{"a": {"type": "string", "maxLength": 9}}`, `{"a": {"type": "string", "maxLength": 5}}`,
			[]string{"v1 spec.a: maxLength 9 -> 5: refuses more"}},
		{"longer", `{"a": {"type": "string", "maxLength": 5}}`, `{"a": {"type": "string", "maxLength": 9}}`,
			[]string{"v1 spec.a: maxLength 5 -> 9: accepts more"}},
		{"minimum", `{"a": {"type": "integer"}}`, `{"a": {"type": "integer", "minimum": 3}}`,
			[]string{"v1 spec.a: minimum absent -> 3: refuses more"}},
		{"exclusive", `{"a": {"type": "integer", "maximum": 3}}`,
			`{"a": {"type": "integer", "maximum": 3, "exclusiveMaximum": true}}`,
			[]string{"v1 spec.a: exclusiveMaximum false -> true: refuses more"}},
		{"multipleOf", `{"a": {"type": "integer", "multipleOf": 2}}`,
			`{"a": {"type": "integer", "multipleOf": 4}}`,
			[]string{"v1 spec.a: multipleOf 2 -> 4: refuses more"}},
		{"enum", `{"a": {"type": "string", "enum": ["x", "y"]}}`, `{"a": {"type": "string", "enum": ["y", "z"]}}`,
			[]string{`v1 spec.a: enum ["x"] -> ["z"]: refuses more`, `v1 spec.a: enum ["x"] -> ["z"]: accepts more`}},
		{"pattern", `{"a": {"type": "string", "pattern": "^a"}}`, `{"a": {"type": "string", "pattern": "^ab"}}`,
			[]string{`v1 spec.a: pattern "^a" -> "^ab": refuses more`,
				`v1 spec.a: pattern "^a" -> "^ab": accepts more (not shown)`}},
		{"type", `{"a": {"type": "integer"}}`, `{"a": {"type": "string"}}`,
			[]string{`v1 spec.a: type "integer" -> "string": refuses more`,
				`v1 spec.a: type "integer" -> "string": accepts more`}},
		{"int-or-string", `{"a": {"type": "integer"}}`, `{"a": {"x-kubernetes-int-or-string": true}}`,
			[]string{`v1 spec.a: type "integer" -> "int-or-string": accepts more`}},
		{"field removed", `{"a": {"type": "string"}, "b": {"type": "string"}}`, `{"b": {"type": "string"}}`,
			[]string{`v1 spec.a: properties "string" -> absent: stores otherwise`}},
		{"field added", `{"b": {"type": "string"}}`, `{"a": {"type": "string"}, "b": {"type": "string"}}`,
			[]string{`v1 spec.a: properties absent -> "string": stores otherwise`,
				`v1 spec.a: properties absent -> "string": refuses more`}},
		{"default", `{"a": {"type": "string"}}`, `{"a": {"type": "string", "default": "x"}}`,
			[]string{`v1 spec.a: default absent -> "x": stores otherwise`}},
		{"set", `{"a": {"type": "array", "items": {"type": "string"}}}`,
			`{"a": {"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set"}}`,
			[]string{`v1 spec.a: x-kubernetes-list-type "atomic" -> "set": refuses more`,
				`v1 spec.a: x-kubernetes-list-type "atomic" -> "set": merges otherwise`}},
		{"rule", `{"a": {"type": "integer"}}`,
			`{"a": {"type": "integer", "x-kubernetes-validations": [{"rule": "self > 7"}]}}`,
			[]string{`v1 spec.a: x-kubernetes-validations absent -> "self > 7": refuses more`}},
		{"message", `{"a": {"type": "integer", "x-kubernetes-validations": [{"rule": "self > 7"}]}}`,
			`{"a": {"type": "integer", "x-kubernetes-validations": [{"rule": "self > 7", "message": "more"}]}}`,
			[]string{`v1 spec.a: x-kubernetes-validations {} -> {"message":"more"}: tells otherwise`}},
		{"preserve", `{"a": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}}`,
			`{"a": {"type": "object"}}`,
			[]string{`v1 spec.a: x-kubernetes-preserve-unknown-fields true -> false: stores otherwise`}},
		{"anyOf", `{"a": {"type": "integer"}}`, `{"a": {"type": "integer", "anyOf": [{"minimum": 7}, {"enum": [1]}]}}`,
			[]string{"v1 spec.a: anyOf absent -> 2: refuses more"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, change := range compare(t, crd(c.old), crd(c.changed)).Changes {
				text := change.String()
				if !change.IsShown() {
					text += " (not shown)"
				}
				got = append(got, text)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A required field is shown at its own path.
func TestRequired(t *testing.T) {
	const fields = `{"a": {"type": "string"}}`
	report := compare(t, crd(fields), crd(fields, `, "required": ["a"]`))
	if len(report.Changes) != 1 || report.Changes[0].Path != "spec.a" || !report.Changes[0].IsShown() {
		t.Fatalf("got %v", report.Changes)
	}
	if got := report.Changes[0].Witness.New; !strings.Contains(got, "spec.a: Required value") {
		t.Errorf("got %s", got)
	}
}
