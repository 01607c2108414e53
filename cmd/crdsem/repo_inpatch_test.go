package main

import (
	"strings"
	"testing"
)

// An error on a value that came of a patch is placed at the patch.
func TestInPatch(t *testing.T) {
	const (
		flux = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\n" +
			"metadata: {name: apps}\nspec:\n  path: ./apps\n"
		kustomize = "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n" +
			"resources: [a.yaml]\n"
		deployment = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d}\nspec:\n" +
			"  selector: {matchLabels: {a: b}}\n  template:\n    metadata: {labels: {a: b}}\n" +
			"    spec:\n      containers:\n" +
			"      - {name: c, image: i}\n      - {name: e, image: i}\n"
		of   = "apiVersion: example.com/v1\nkind: Widget\nmetadata:\n  name: w\n"
		size = "size: {type: integer, minimum: 0}, mode: {type: string, enum: [a, b]}, " +
			"tags: {type: array, items: {type: object, required: [key], properties: " +
			"{key: {type: string, maxLength: 3}, num: {type: integer, maximum: 5}}}}"
	)
	crd := strings.Replace(widgets, "size: {type: integer}", size, 1)
	if crd == widgets {
		t.Fatal("the definition has another text")
	}
	file := func(text string) map[string]string {
		return map[string]string{"apps/a.yaml": widget, "apps/p.yaml": text,
			"apps/kustomization.yaml": kustomize + "patches: [{path: p.yaml}]\n"}
	}
	operations := func(text string) map[string]string {
		return map[string]string{"apps/a.yaml": widget, "ks.yaml": flux +
			"  patches:\n  - target: {kind: Widget}\n    patch: |\n      " +
			strings.ReplaceAll(text, "\n", "\n      ") + "\n"}
	}
	for _, c := range []struct {
		line  string
		files map[string]string
		want  string
	}{
		{"a value of a file", file(of + "spec:\n  mode: c\n"),
			"apps/p.yaml:6:9: error: Widget w: spec.mode: Unsupported value"},
		{"a value in a second document", file(of + "---\n" + of + "spec:\n  size: -1\n"),
			"apps/p.yaml:11:9: error: Widget w: spec.size: "},
		{"what a list lacks", file(of + "spec:\n  tags:\n  - key: a\n  - num: 1\n"),
			"apps/p.yaml:8:5: error: Widget w: spec.tags[1].key: Required value"},
		{"what the patch removes", map[string]string{
			"apps/a.yaml": strings.Replace(widget, "size: 1", "tags: [{key: a}]", 1),
			"ks.yaml": flux + "  patches:\n  - target: {kind: Widget}\n    patch: |\n" +
				"      - {op: remove, path: /spec/tags/0/key}\n"},
			"ks.yaml:9:9: error: Widget w: spec.tags[0].key: Required value"},
		{"an operation", operations("- {op: add, path: /spec/mode, value: a}\n" +
			"- op: add\n  path: /spec/size\n  value: -1"), "ks.yaml:10:9: error: Widget w: spec.size: "},
		{"an operation that appends", operations("- {op: add, path: /spec/tags, value: [{key: a}]}\n" +
			"- {op: add, path: /spec/tags/-, value: {key: long}}"),
			"ks.yaml:10:9: error: Widget w: spec.tags[1].key: Too long"},
		{"the last operation counts", operations("- {op: add, path: /spec/size, value: -2}\n" +
			"- {op: add, path: /spec/size, value: -1}"), "ks.yaml:10:9: error: Widget w: spec.size: "},
		{"a patch whose kind is not named", map[string]string{"apps/a.yaml": widget, "ks.yaml": flux +
			"  patches:\n  - target: {name: w}\n    patch: |\n      - {op: add, path: /spec/sise, value: 1}\n"},
			"ks.yaml:9:9: error: Widget w: unknown field \"spec.sise\""},
		{"an item of a list that is merged", map[string]string{"apps/a.yaml": deployment, "ks.yaml": flux +
			"  patches:\n  - patch: |\n      apiVersion: apps/v1\n      kind: Deployment\n" +
			"      metadata: {name: d}\n      spec:\n        template:\n          spec:\n" +
			"            containers:\n            - name: e\n              imagePullPolicy: x\n"},
			"ks.yaml:16:32: error: Deployment d: spec.template.spec.containers[0].imagePullPolicy: "},
		{"a typo in a patch of a built-in kind that selects nothing here", map[string]string{
			"ks.yaml": flux + "  patches:\n  - target: {group: apps, kind: StatefulSet}\n" +
				"    patch: |\n      - {op: add, path: /spec/replica, value: 1}\n"},
			"ks.yaml:9:9: error: Kustomization apps: in a patch: operation 0: unknown field \"spec.replica\""},
		{"a value of the file", map[string]string{
			"apps/a.yaml": strings.Replace(widget, "size: 1", "size: -1", 1),
			"ks.yaml": flux + "  patches:\n  - target: {kind: Widget}\n    patch: |\n" +
				"      - {op: add, path: /spec/mode, value: a}\n"},
			"apps/a.yaml:4:14: error: Widget w: spec.size: "},
		{"what the file lacks below a patched object", map[string]string{
			"apps/a.yaml": strings.Replace(widget, "size: 1", "tags: [{num: 1}]", 1),
			"ks.yaml": flux + "  patches:\n  - target: {kind: Widget}\n    patch: |\n" +
				"      - {op: add, path: /spec/tags/0/num, value: 2}\n"},
			"apps/a.yaml:4:15: error: Widget w: spec.tags[0].key: Required value"},
		{"a boolean of YAML 1.1 in a strategic patch", file(of + "spec:\n  mode: on\n"),
			"apps/p.yaml:6:9: error: Widget w: spec.mode: Unsupported value: \"on\""},
		{"a boolean of YAML 1.1 in an operation",
			operations("- {op: add, path: /spec/size, value: on}"),
			"ks.yaml:9:9: error: Widget w: spec.size: Invalid value: \"boolean\""},
		{"a patch that begins with a brace and is no JSON", map[string]string{"apps/a.yaml": widget,
			"apps/kustomization.yaml": "resources: [a.yaml]\npatches:\n" +
				"- patch: '{apiVersion: example.com/v1, kind: Widget, metadata: {name: w}, spec: {mode: c}}'\n"},
			"apps/kustomization.yaml:3:11: error: Widget w: spec.mode: Unsupported value"},
		{"a typo in a kustomization without a kind", map[string]string{"apps/a.yaml": widget,
			"apps/kustomization.yaml": "resources: [a.yaml]\npatches:\n" +
				"- patch: '{apiVersion: example.com/v1, kind: Widget, metadata: {name: w}, spec: {made: c}}'\n"},
			"apps/kustomization.yaml:3:11: error: Kustomization: in a patch: unknown field \"spec.made\""},
		{"a comment of the patch", file(of + "spec:\n  mode: c # crdsem:ignore VAL-060 later\n"),
			"1 finding ignored"},
	} {
		t.Run(c.line, func(t *testing.T) {
			c.files["crd.yaml"] = crd
			writeFiles(t, c.files)
			code, out, errs := execute(t, "", "validate", ".")
			isIgnored := strings.Contains(c.want, "ignored")
			if code != exitRefused && !isIgnored || code != exitOK && isIgnored ||
				!strings.Contains(out, c.want) || strings.Count(out, ": error: ") > 1 {
				t.Errorf("exit code %d, want %q\n%s%s", code, c.want, out, errs)
			}
		})
	}
}
