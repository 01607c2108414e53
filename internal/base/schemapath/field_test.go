package schemapath_test

import (
	"strings"
	"testing"

	"github.com/crdsem/crdsem/internal/base/schemapath"
)

// Field writes each step, also below names with brackets and dots.
func TestField(t *testing.T) {
	root := schemapath.Root(nil)
	node := root.Child("openAPIV3Schema")
	for _, c := range []struct {
		keys []string // names of properties; - is items, * additionalProperties
		want string
	}{
		{nil, ""},
		{[]string{"spec"}, "spec"},
		{[]string{"spec", "ports", "-", "name"}, "spec.ports[*].name"},
		{[]string{"spec", "labels", "*"}, "spec.labels[*]"},
		{[]string{"-", "-"}, "[*][*]"},
		{[]string{"a]", "b"}, "a].b"},
		{[]string{"a].b", "c"}, "a].b.c"},
		{[]string{"a[0]", "-"}, "a[0][*]"},
		{[]string{"]"}, "]"},
		{[]string{"[*]", "*"}, "[*][*]"},
		{[]string{"", "a"}, ".a"},
		{[]string{"a.items", "b.properties[c"}, "a.items.b.properties[c"},
		{[]string{"items", "additionalProperties"}, "items.additionalProperties"},
	} {
		at := &node
		for _, key := range c.keys {
			next := at.Keyed("properties", key)
			switch key {
			case "-":
				next = at.Child("items")
			case "*":
				next = at.Child("additionalProperties")
			}
			at = &next
		}
		if got := schemapath.Field(at.String()); got != c.want {
			t.Errorf("%s: got %q, want %q", at, got, c.want)
		}
	}
	for path, want := range map[string]string{
		"":                                   "",
		".properties[a]":                     "a",
		"openAPIV3Schema.properties[a":       "a",
		"openAPIV3Schema.properties[a].type": "a].type",
		"openAPIV3Schema.properties[a].allOf[0].properties[b]":           "a.allOf[0].b",
		"openAPIV3Schema.properties[a].anyOf[0].oneOf[1].properties[b]":  "a.anyOf[0].oneOf[1].b",
		"openAPIV3Schema.properties[a].oneOf[0].not.properties[b].items": "a.oneOf[0].not.b[*]",
		"openAPIV3Schema.properties[a].not.additionalProperties.items":   "a.not[*][*]",
	} {
		if got := schemapath.Field(path); got != want {
			t.Errorf("%s: got %q, want %q", path, got, want)
		}
	}
	for path, want := range map[string]string{
		"":                              "",
		"openAPIV3Schema":               "",
		".items":                        "[*]",
		"openAPIV3Schema.properties[a":  "a",
		"openAPIV3Schema.not":           "",
		"openAPIV3Schema.properties[]":  "",
		"openAPIV3Schema.items.not.not": "[*]",
		"openAPIV3Schema.anyOf[0].items.oneOf[2].additionalProperties":   "[*] [*]",
		"openAPIV3Schema.properties[spec].properties[a-b].items.enum[0]": "spec a-b [*]",
		"openAPIV3Schema.properties[spec].default.properties[a]":         "spec",
		"openAPIV3Schema.allOf[1].properties[a].not.properties[b].type":  "a b",
		"openAPIV3Schema.properties[m].additionalProperties":             "m [*]",
		"openAPIV3Schema.x-kubernetes-validations[0].rule":               "",
	} {
		if got := strings.Join(schemapath.Names(path), " "); got != want {
			t.Errorf("%s: got %q, want %q", path, got, want)
		}
	}
	branch := node.Indexed("allOf", 1)
	below := branch.Keyed("properties", "a]")
	if got, want := schemapath.Field(below.String()), "allOf[1].a]"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
