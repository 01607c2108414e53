package main

import (
	"strings"
	"testing"
)

// Shells complete kinds, versions and fields by the definitions that are given.
func TestCompletion(t *testing.T) {
	other := strings.NewReplacer("example.com", "example.org", "name: v1", "name: v2",
		"Widget", "Gadget", "widget", "gadget").Replace(widgets)
	writeFiles(t, map[string]string{"a.yaml": widgets, "b/b.yaml": other, "w.yaml": widget})
	for _, c := range []struct{ line, want string }{
		{"generate a.yaml b --kind ", "Gadget.example.org Widget.example.com"},
		{"generate --crd a.yaml --kind ", "Widget.example.com"},
		{"generate --version ", ""},
		{"describe --crd a.yaml --version ", "v1"},
		{"convert a.yaml b w.yaml --to ", "v1 v2"},
		{"convert --crd missing.yaml --to ", ""},
		{"describe a.yaml ", "spec widget"},
		{"describe --crd . --kind Gadget ", "gadget spec"},
		{"describe a.yaml spec.", "spec.size"},
		{"describe a.yaml widget.spec.", "widget.spec.size"},
		{"describe a.yaml nothing.", ""},
		{"describe ", ""},
	} {
		args := append([]string{"__complete"}, strings.Split(c.line, " ")...)
		code, out, _ := execute(t, "", args...)
		got, _, _ := strings.Cut(out, ":")
		if got = strings.Join(strings.Fields(got), " "); code != exitOK || got != c.want {
			t.Errorf("%s: exit code %d, got %q, want %q", c.line, code, got, c.want)
		}
	}
}
