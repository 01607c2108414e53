//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// helm is a program that prints the file that a chart has for it, as helm
// template prints manifests.
const helm = "#!/bin/sh\n[ \"$1 $2 $4\" = 'template release --include-crds' ] || exit 3\n" +
	"[ -f \"$3/rendered\" ] || { echo 'Error: no dependencies' >&2; exit 1; }\n" +
	"cat \"$3/rendered\"\n"

// What helm makes of charts is judged, with places in their templates.
func TestHelm(t *testing.T) {
	const source = "---\n# Source: shop/templates/w.yaml\n"
	for _, c := range []struct {
		line, template, rendered string
		code                     int
		want                     []string
	}{
		{"fine", widget, source + widget, exitOK, []string{"1 object: 1 accepted"}},
		{"a key", "spec:\n  sise: {{ .Values.size }}\n", source + strings.Replace(widget, "{size: 1}", "\n  sise: 1", 1), exitRefused,
			[]string{`charts/shop/templates/w.yaml:2:3: error: Widget w: unknown field "spec.sise"`, "helm makes `sise: 1` of it"}},
		{"a line", "{{ if a }}\nspec: {size: x}\n{{ end }}\n", source + strings.Replace(widget, "size: 1", "size: x", 1), exitRefused,
			[]string{"charts/shop/templates/w.yaml:2:1: error: Widget w: "}},
		{"two lines", "spec: {{ a }}\nspec: {{ b }}\n", source + strings.Replace(widget, "size: 1", "size: x", 1), exitRefused,
			[]string{"charts/shop/templates/w.yaml:1:1: error: Widget w: spec.size"}},
		{"another path", "", "---\n# Source: shop/../../w.yaml\n" + strings.Replace(widget, "size: 1", "size: x", 1), exitRefused,
			[]string{"charts/shop/Chart.yaml: error: Widget w: spec.size"}},
		{"no source", "", strings.Replace(widget, "size: 1", "size: x", 1), exitRefused,
			[]string{"charts/shop/Chart.yaml: error: Widget w: spec.size"}},
		{"an error", "", "", exitFailed, []string{"charts/shop/Chart.yaml: error: helm: exit status 1: Error: no dependencies"}},
	} {
		t.Run(c.line, func(t *testing.T) {
			files := map[string]string{
				"crd.yaml": widgets, "charts/shop/Chart.yaml": "name: shop\nversion: 1.0.0\n",
				"charts/shop/templates/w.yaml": c.template, "charts/.hidden/Chart.yaml": "name: hidden\n",
			}
			if c.rendered != "" {
				files["charts/shop/rendered"] = c.rendered
			}
			writeFiles(t, files)
			bin := t.TempDir()
			if err := os.WriteFile(filepath.Join(bin, "helm"), []byte(helm), 0o755); err != nil {
				t.Fatal(err)
			}
			t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
			code, out, errs := execute(t, "", "validate", "crd.yaml", "--helm", "charts")
			for _, want := range c.want {
				if !strings.Contains(out+errs, want) {
					t.Errorf("no %q", want)
				}
			}
			if code != c.code || t.Failed() {
				t.Errorf("exit code %d, want %d\n%s%s", code, c.code, out, errs)
			}
		})
	}
}

// A folder without charts, and a program that is not there.
func TestHelmWithout(t *testing.T) {
	writeFiles(t, map[string]string{"crd.yaml": widgets, "a/w.yaml": widget, ".crdsem.yaml": ""})
	t.Setenv("PATH", t.TempDir())
	for args, want := range map[string]string{
		"--helm a": `--helm: exec: "helm": executable file not found`, "--helm a --helm-program ./no": "--helm a: no Chart.yaml",
	} {
		all := append([]string{"validate", "crd.yaml"}, strings.Fields(args)...)
		code, _, errs := execute(t, "", all...)
		if code != exitFailed || !strings.Contains(errs, want) {
			t.Errorf("%s: exit code %d: %s", args, code, errs)
		}
	}
	writeMore(t, map[string]string{".crdsem.yaml": "validate: {helm-program: ./x}\n"})
	code, _, errs := execute(t, "", "validate", ".")
	if code != exitFailed || !strings.Contains(errs, "helm-program") {
		t.Errorf("a program in the configuration: exit code %d: %s", code, errs)
	}
}
