package main

import (
	"strings"
	"testing"
)

// What is judged is what the tools of a repository deliver: kubectl, kustomize,
// Flux.
func TestDelivered(t *testing.T) {
	const (
		sops = "sops: {kms: [], mac: x, version: 3.8.1}\n"
		flux = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\n" +
			"metadata: {name: apps, namespace: flux-system}\nspec:\n  path: ./apps\n"
		patch = "  patches:\n  - patch: |-\n      apiVersion: example.com/v1\n" +
			"      kind: Widget\n      metadata: {name: not-used}\n      spec: {SPEC}\n" +
			"    target: {group: example.com, kind: Widget}\n"
		nested = flux + "  patches:\n  - target: {kind: Kustomization, labelSelector: a=b}\n" +
			"    patch: |-\n      - op: add\n        path: /spec/patches\n        value:\n" +
			"        - target: {kind: Widget}\n          patch: |\n" +
			"            - {op: replace, path: /spec/size, value: 1}\n"
		kustomize  = "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n"
		unknownKey = `unknown field "spec.sise" [PIPE-006]`
	)
	bad := strings.Replace(widget, "size: 1", "size: x", 1)
	withKey := func(value string) string {
		return strings.Replace(widget, "size: 1", "size: 1, sise: "+value, 1)
	}
	for _, c := range []struct {
		line  string
		files map[string]string
		args  []string
		code  int
		want  []string
	}{
		{"a merge key and an override", map[string]string{
			"a.yaml": strings.Replace(widget, "{name: w}", "{<<: {name: v}, name: w}", 1),
		}, nil, exitOK, []string{"1 accepted"}},
		{"an unknown key of a variable", map[string]string{"a.yaml": withKey("'${X}'")}, nil, exitRefused,
			[]string{unknownKey}},
		{"an unknown key of a variable with a value", map[string]string{
			"a.yaml": withKey("'${X}'"), ".crdsem.yaml": "substitute: {X: a}\n"}, nil, exitRefused,
			[]string{unknownKey}},
		{"an unknown key of an encrypted value", map[string]string{
			"a.yaml": withKey("'ENC[AES256_GCM,data:x]'") + sops}, nil, exitRefused, []string{unknownKey}},
		{"an unknown key of a placeholder", map[string]string{"a.yaml": withKey("<path:a#b>")}, nil,
			exitRefused, []string{unknownKey}},
		{"an unknown key beside a key with a variable", map[string]string{
			"a.yaml": strings.Replace(widget, "size: 1", "'${X}': 1, sise: 1", 1)}, nil, exitRefused,
			[]string{unknownKey}},
		{"a key with a variable", map[string]string{
			"a.yaml": strings.Replace(widget, "size: 1", "'${X}': 1", 1)}, nil, exitOK, []string{"1 accepted"}},
		{"a skipped field", map[string]string{
			"a.yaml": withKey("1"), ".crdsem.yaml": "skip: {fields: [spec.sise]}\n"}, nil, exitOK,
			[]string{"1 accepted"}},
		{"a kind in lower case", map[string]string{
			"a.yaml": strings.Replace(widget, "Widget", "widget", 1)}, nil, exitRefused,
			[]string{"a.yaml:2:7: error: ", "(hint: did you mean `Widget`?)"}},
		{"a kind in lower case that is allowed", map[string]string{
			"a.yaml": strings.Replace(widget, "Widget", "widget", 1), "b.yaml": widget},
			[]string{"--allow-unknown"}, exitOK, []string{"a.yaml:2:7: warning: "}},
		{"a group one letter off", map[string]string{
			"a.yaml": strings.Replace(widget, "example.com", "exmaple.com", 1)}, nil, exitRefused,
			[]string{"did you mean the group `example.com`?"}},
		{"a group of Kubernetes one letter off", map[string]string{
			"a.yaml": "apiVersion: networkng.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {name: n}\n"}, nil,
			exitRefused, []string{"a.yaml:2:7: error: ", "did you mean the group `networking.k8s.io`?"}},
		{"the same object twice", map[string]string{"a.yaml": widget + "---\n" + widget}, nil, exitOK,
			[]string{"a.yaml:6:1: warning: Widget w: the file has this object twice: also on line 1"}},
		{"a Component without apiVersion", map[string]string{
			"c/kustomization.yaml": "kind: Component\nmetadata: {name: c}\n", "a.yaml": widget}, nil, exitOK,
			[]string{"read by a tool, not by a server: 1 Component"}},
		{"a patch of Flux", map[string]string{
			"apps/a.yaml": bad, "ks.yaml": flux + strings.Replace(patch, "SPEC", "size: 1", 1)}, nil, exitOK,
			[]string{"1 accepted"}},
		{"a patch of Flux that is wrong", map[string]string{
			"apps/a.yaml": widget, "ks.yaml": flux + strings.Replace(patch, "SPEC", "sise: 1", 1)}, nil,
			exitRefused, []string{"ks.yaml:11:14: error: Kustomization flux-system/apps: in a patch: " +
				`unknown field "spec.sise" (in the file: spec.patches[0].patch) [PIPE-006]`}},
		{"a patch in JSON 6902 that is wrong", map[string]string{
			"apps/a.yaml": widget, "ks.yaml": flux +
				"  patches:\n  - target: {group: example.com, kind: Widget}\n    patch: |\n" +
				"      - {op: add, path: /spec/sise, value: 1}\n"}, nil, exitRefused,
			[]string{"ks.yaml:9:9: error: ", `operation 0: unknown field "spec.sise"`}},
		{"a patch of other objects", map[string]string{
			"apps/a.yaml": bad, "ks.yaml": flux + strings.Replace(strings.Replace(patch, "SPEC", "size: 1", 1),
				"kind: Widget}", "kind: Widget, name: v.*}", 1)}, nil, exitRefused, []string{"a.yaml:4:14: error: "}},
		{"a patch that deletes", map[string]string{
			"apps/a.yaml": bad, "b.yaml": widget, "ks.yaml": flux + strings.Replace(patch, "spec: {SPEC}", "$patch: delete", 1)},
			nil, exitOK, []string{"not judged, changed or deleted by kustomize, Flux or Argo CD: 1"}},
		{"a patch of resources elsewhere", map[string]string{
			"base/a.yaml": bad, "base/kustomization.yaml": kustomize + "resources: [a.yaml]\n",
			"apps/kustomization.yaml": kustomize + "resources: [../base]\n",
			"ks.yaml":                 flux + strings.Replace(patch, "SPEC", "size: 1", 1)}, nil, exitOK,
			[]string{"1 accepted"}},
		{"a patch in a patch", map[string]string{
			"apps/ks.yaml": strings.Replace(strings.Replace(flux, "name: apps", "name: inner, labels: {a: b}", 1),
				"./apps", "./inner", 1),
			".git/HEAD": "", "inner/a.yaml": bad, "ks.yaml": nested}, nil, exitOK, []string{"1 accepted"}},
		{"a Kustomization that is a patch owns nothing", map[string]string{
			"apps/a.yaml": widget, "ks/kustomization.yaml": kustomize + "resources: [ks.yaml]\n" +
				"patches:\n- path: p.yaml\n  target: {kind: Kustomization}\n", "ks/ks.yaml": flux,
			"ks/p.yaml": strings.Replace(flux, "path: ./apps", "path: ./", 1) +
				strings.Replace(patch, "SPEC", "size: x", 1)}, nil, exitOK, []string{"1 accepted"}},
		{"a Namespace that kustomize renames", map[string]string{
			"n/ns.yaml":            "apiVersion: v1\nkind: Namespace\nmetadata: {name: _}\n",
			"n/kustomization.yaml": kustomize + "namespace: n\nresources: [ns.yaml]\n"}, nil, exitOK,
			[]string{"1 accepted"}},
		{"what is not judged", map[string]string{
			"a.yaml": strings.Replace(widget, "size: 1", "size: '${X}'", 1)},
			[]string{"--not-judged"}, exitOK, []string{
				"a.yaml:4:14: not judged: Widget w: spec.size: variables, which Flux replaces"}},
	} {
		t.Run(c.line, func(t *testing.T) {
			c.files["crd.yaml"] = widgets
			writeFiles(t, c.files)
			args := append([]string{"validate", "--config", ".crdsem.yaml", "."}, c.args...)
			if c.files[".crdsem.yaml"] == "" {
				args = append([]string{"validate", "."}, c.args...)
			}
			code, out, errs := execute(t, "", args...)
			if code != c.code {
				t.Errorf("exit code %d, want %d", code, c.code)
			}
			for _, want := range c.want {
				if !strings.Contains(out, want) {
					t.Errorf("no %q", want)
				}
			}
			if t.Failed() {
				t.Logf("%s%s", out, errs)
			}
		})
	}
}

// A variable below oneOf is left out, and an error of a junctor has a path.
func TestJunctors(t *testing.T) {
	crd := strings.Replace(widgets, "size: {type: integer}",
		"size: {type: string, anyOf: [{format: ipv4}, {format: ipv6}]}", 1)
	if crd == widgets {
		t.Fatal("the definition has another text")
	}
	for value, want := range map[string]string{
		"'${X}'": "findings left out on variables, which Flux replaces: ",
		"x":      "error: Widget w: spec.size: must validate at least one schema (anyOf)",
	} {
		writeFiles(t, map[string]string{
			"crd.yaml": crd, "a.yaml": strings.Replace(widget, "size: 1", "size: "+value, 1)})
		if _, out, _ := execute(t, "", "validate", "."); !strings.Contains(out, want) ||
			strings.Contains(out, "<nil>") {
			t.Errorf("%s: %s", value, out)
		}
	}
}
