package main

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/kit/manifest"
)

// Files that kustomize reads are judged by what it reads: the same values, and
// what it refuses is refused. Left out are dates, which it completes, and merge
// keys that occur twice.
func TestDecodesAsKustomize(t *testing.T) {
	program := kustomizers(t)[0]
	if filepath.Base(program) == "kubectl" {
		t.Skip("kubectl has an older kustomize") // the texts below are those of the newest one
	}
	for _, text := range []string{
		"{a: 1, b: '2', c: \"3\", d: 1.5, e: true, f: null, g: ~}",
		"{a: y, b: yes, c: on, d: n, e: no, f: off, g: Yes, h: ON, i: True, j: TRUE}",
		"{a: 010, b: 0o10, c: 0x1F, d: 0b11, e: 1_000, f: +1, g: -0, h: 1e3, i: 1E-2}",
		"{a: 1:30, b: 2001, c: 2001-12-14t21:59:43.10-05:00, d: .5, e: 5.}",
		"{a: .inf, b: 12345678901234567890, c: 9223372036854775807, d: 1e400}",
		"{a: !!str 1, b: !!int '1', c: !!float 1, d: !!binary aGk=, e: !!bool 'true'}",
		"a: &x {b: 1}\nc: *x\nd: {<<: *x, e: 2}\nf: {<<: *x, b: 3}",
		"a: &x {b: 1}\ny: &y {b: 2, c: 3}\nd: {<<: [*x, *y]}",
		"a: |\n  one\n  two\nb: >\n  one\n  two\n\n  three\nc: |-\n  x\nd: |+\n  x\n\ne: 1",
		"a: \"\\u00e9\\x41\\n\"\nb: 'it''s'\nc: a b  c\nd: \"a\n  b\"",
		"? a\n: b\n? 'c d'\n: e", "a: [1, [2, 3], {b: 4}]\nc:\n- d\n-\n  - e\n- f: g\n  h: i",
		"a: 1\na: 2", "a: {b: 1, b: 2}", "a: *none", "a: [", "a: b: c", "\ta: 1",
		"a: 'x", "a: 1 # comment\n# more\nb: '#'", "'a': 1\n\"b\": 2", "a: {}\nb: []\nc: ''",
		"true: 1", "1: 2", "y: 1", "null: 1", "a: \"\\q\"", "a: @b", "a: %b", "a: `b`", "a: !x b", "a: - b",
	} {
		t.Run(text, func(t *testing.T) {
			doc := "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\nspec:\n  " +
				strings.ReplaceAll(text, "\n", "\n  ") + "\n"
			writeFiles(t, map[string]string{
				"w.yaml": doc, "kustomization.yaml": "resources: [w.yaml]\n",
			})
			built, buildErr := exec.Command(program, "build", ".").Output()
			writeMore(t, map[string]string{"crd.yaml": anything})
			code, out, _ := execute(t, "", "admit", "--crd", "crd.yaml", "-o", "json", "w.yaml")
			switch isRefused := code != exitOK; {
			case (buildErr != nil) != isRefused:
				t.Errorf("kustomize: %v; here: %s", buildErr, out)
			case buildErr == nil:
				var own struct {
					Results []struct{ Object map[string]any }
				}
				if err := json.Unmarshal([]byte(out), &own); err != nil {
					t.Fatal(err)
				}
				text, err := json.Marshal(own.Results[0].Object["spec"])
				diff := cmp.Diff(specOf(t, string(built)), string(text))
				if diff != "" || err != nil {
					t.Errorf("%v\n%s", err, diff)
				}
			}
		})
	}
}

// anything is a definition of objects with any spec.
var anything = strings.Replace(widgets, "{type: object, properties: {size: {type: integer}}}",
	"{x-kubernetes-preserve-unknown-fields: true}", 1)

// specOf returns the JSON of the spec of an object in a text.
func specOf(t *testing.T, text string) string {
	t.Helper()
	for o, err := range manifest.Parse("built", strings.NewReader(text)) {
		if err != nil {
			t.Fatal(err)
		}
		out, err := json.Marshal(o.Content["spec"])
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	t.Fatal("no object")
	return ""
}
