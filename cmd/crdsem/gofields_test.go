package main

import (
	"strings"
	"testing"
)

// Findings of check and lint name the Go field that they are about.
func TestGoFields(t *testing.T) {
	const types = "// +groupName=example.com\npackage v1\n\ntype Widget struct {\n" +
		"\tSpec struct {\n\t\tSize int `json:\"size\"`\n\t} `json:\"spec\"`\n}\n"
	for _, c := range []struct {
		line, types, definition string
		want                    []string
	}{
		{"a default", types, "size: {type: integer, default: x}",
			[]string{"the Go field is Widget.Size, api/v1/types.go:6:3"}},
		{"a keyword of the spec", types, "size: {type: integer}}, maximum: 1, minimum: 2, x-unknown: {",
			[]string{"the Go field is Widget.Spec, api/v1/types.go:5:2"}},
		{"a column", types, "size: {type: integer}}}\n    additionalPrinterColumns: [{name: a," +
			" jsonPath: x, type: string}]\n    subresources: {scale: {specReplicasPath: .a",
			[]string{"the Go field is Widget, api/v1/types.go:4:6"}},
		{"another kind", strings.Replace(types, "Widget", "Gadget", 1), "size: {type: integer, default: x}",
			[]string{"--go has no type Widget of example.com/v1"}},
	} {
		t.Run(c.line, func(t *testing.T) {
			writeFiles(t, map[string]string{"api/v1/types.go": c.types, "go.mod": "module m\n",
				"crd.yaml": strings.Replace(widgets, "size: {type: integer}", c.definition, 1)})
			for _, command := range []string{"check", "lint"} {
				_, out, errs := execute(t, "", command, "--go", "./api/...", "crd.yaml")
				for _, want := range c.want {
					if !strings.Contains(out, want) {
						t.Errorf("%s does not print %q:\n%s%s", command, want, out, errs)
					}
				}
			}
		})
	}
	writeFiles(t, map[string]string{"crd.yaml": widgets})
	code, _, errs := execute(t, "", "check", "--go", "api", "crd.yaml")
	if code != exitFailed || !strings.Contains(errs, "--go: ") {
		t.Errorf("a folder that is not there: exit code %d\n%s", code, errs)
	}
}
