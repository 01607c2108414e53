package requests

import (
	"fmt"
	"strings"
	"testing"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/merge/apply"
)

// Growing is a format for a definition: it takes the properties of spec.
const Growing = `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"ks.g.io"},
"spec":{"group":"g.io","scope":"Cluster","names":{"plural":"ks","singular":"k","kind":"K","listKind":"KList"},
"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object","properties":{"spec":{"type":"object","properties":{%s}}}}}}]}}`

// GrowingVersion returns the version of Growing whose spec has the properties.
func GrowingVersion(b testing.TB, fields string) *crdsem.Version {
	b.Helper()
	def, err := crdsem.Parse(fmt.Appendf(nil, Growing, fields),
		apply.Server())
	if err != nil {
		b.Fatal(err)
	}
	v, err := def.Version("v1")
	if err != nil {
		b.Fatal(err)
	}
	return v
}

// Many joins by commas what each returns for 0 to n-1.
func Many(n int, each func(i int) string) string {
	parts := make([]string, n)
	for i := range parts {
		parts[i] = each(i)
	}
	return strings.Join(parts, ",")
}

// Manyf is Many for a format in which # stands for the number.
func Manyf(n int, format string) string {
	return Many(n, func(i int) string { return strings.ReplaceAll(format, "#", fmt.Sprint(i)) })
}

// RuleVersion is a version whose only rule is the given one.
func RuleVersion(t testing.TB, rule string, options ...crdsem.DefinitionOption) *crdsem.Version {
	t.Helper()
	def, err := crdsem.Parse(fmt.Appendf(nil, `{"apiVersion":"apiextensions.k8s.io/v1",
"kind":"CustomResourceDefinition","metadata":{"name":"ks.g.io"},"spec":{"group":"g.io",
"scope":"Namespaced","names":{"plural":"ks","kind":"K","singular":"k","listKind":"KList"},
"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object",
"properties":{"a":{"type":"string"},"l":{"type":"array","items":{"type":"string"}}},
"x-kubernetes-validations":[{"rule":%q}]}}}]}}`, rule), options...)
	if err != nil {
		t.Fatal(err)
	}
	v, err := def.Version("v1")
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// RuleObject is an object with so many letters in a and so many items in l.
func RuleObject(letters, items int) map[string]any {
	list := make([]any, items)
	for i := range list {
		list[i] = "x"
	}
	return map[string]any{
		"apiVersion": "g.io/v1", "kind": "K", "metadata": map[string]any{"name": "x"},
		"a": strings.Repeat("x", letters), "l": list,
	}
}
