package main

import (
	"strings"
	"testing"
)

// fluxOver is a Kustomization of Flux that builds the folder over.
const fluxOver = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\n" +
	"metadata: {name: over, namespace: flux-system}\n" +
	"spec: {path: ./over, prune: true, interval: 1m, sourceRef: {kind: GitRepository, name: r}}\n"

// A file that does not exist may be generated, unless Flux takes the repository
// as it is.
func TestKustomizationNamesMayBeGenerated(t *testing.T) {
	for _, c := range []struct {
		line, flux, want string
		code             int
	}{
		{"by hand", "", ":1:13: warning: Kustomization: no.yaml does not exist", exitOK},
		{"by Flux", fluxOver, ":1:13: error: Kustomization: no.yaml does not exist", exitRefused},
	} {
		files := map[string]string{
			".git/HEAD": "", "over/kustomization.yaml": "resources: [no.yaml, w.yaml]\n",
			"over/w.yaml": widget, "crds/crd.yaml": widgets,
		}
		if c.flux != "" {
			files["flux.yaml"] = c.flux
		}
		writeFiles(t, files)
		code, out, errs := execute(t, "", "validate", ".")
		if code != c.code || !strings.Contains(out, c.want) {
			t.Errorf("%s: exit code %d\n%s%s", c.line, code, out, errs)
		}
	}
}

// What kustomize refuses in the names of a kustomization that Flux builds is an
// error on the line of the name.
func TestKustomizationNames(t *testing.T) {
	none := "none of the resources is the example.com/v1 Widget x that is patched"
	patch := strings.Replace(widget, "name: w", "name: x", 1)
	flow := func(name string) string {
		return "[{patch: '{apiVersion: example.com/v1, kind: Widget, " +
			"metadata: {name: " + name + "}}'}]"
	}
	for _, c := range []struct {
		line, over string
		want       []string // nil: nothing
	}{
		{line: "a base", over: "resources: [../base]"},
		{"a file that does not exist", "resources: [../base, no.yaml]",
			[]string{"over/kustomization.yaml:1:22: error: Kustomization: no.yaml does not exist: kustomize refuses"}},
		{"a component and a patch that do not exist", "components: [../c]\npatches:\n- path: no.yaml",
			[]string{":1:14: error: Kustomization: ../c does not exist", ":3:9: error: Kustomization: no.yaml does not exist"}},
		{"a folder without a kustomization", "resources: [../crds]",
			[]string{":1:13: error: Kustomization: kustomize refuses ../crds: the folder has no kustomization.yaml"}},
		{line: "addresses", over: "resources: [../base, 'https://example.com/a', 'github.com/a/b?ref=v1', 'git@a.b:c/d.git']"},
		{line: "a file that .gitignore leaves out", over: "resources: [../base, made.yaml]"},
		{line: "a file with a variable", over: "resources: [../base, '${NAME}.yaml']"},
		{"a patch of an object that is not there", "resources: [../base]\npatches: [{path: p.yaml}]",
			[]string{"over/kustomization.yaml:2:18: error: Kustomization: " + none}},
		{"an old patch of an object that is not there", "resources: [../base]\npatchesStrategicMerge: [p.yaml]", []string{none}},
		{"a text of an object that is not there", "resources: [../base]\npatches: " + flow("x"), []string{none}},
		{"a patch of another version", "resources: [../base]\npatches: " + strings.Replace(flow("w"), "/v1", "/v2", 1),
			[]string{"none of the resources is the example.com/v2 Widget w that is patched"}},
		{line: "patches alone", over: "patches: " + flow("x")},
		{line: "a patch of an object that is there", over: "resources: [../base]\npatches: " + flow("w")},
		{line: "a patch of an object with a prefix", over: "namePrefix: a-\nresources: [../base]\npatches: " + flow("a-w")},
		{line: "a target that selects nothing",
			over: "resources: [../base]\npatches: [{path: p.yaml, target: {kind: Widget, name: no}}]"},
		{line: "a patch of what a generator makes", over: "resources: [../base]\nconfigMapGenerator: [{name: c}]\n" +
			"patches: [{patch: '{apiVersion: v1, kind: ConfigMap, metadata: {name: c}}'}]"},
		{line: "a patch of what a chart may have", over: "resources: [../base]\nhelmCharts: [{name: c}]\npatches: " + flow("x")},
		{line: "a patch of what an address may have", over: "resources: ['https://example.com/a']\npatches: " + flow("x")},
	} {
		files := map[string]string{
			".git/HEAD": "", ".gitignore": "made.yaml\n", "crds/crd.yaml": widgets,
			"base/kustomization.yaml": "resources: [w.yaml]\n", "base/w.yaml": widget,
			"over/kustomization.yaml": c.over + "\n", "flux.yaml": fluxOver,
		}
		if strings.Contains(c.over, "p.yaml") {
			files["over/p.yaml"] = patch
		}
		writeFiles(t, files)
		code, out, errs := execute(t, "", "validate", ".")
		want := exitOK
		if c.want != nil {
			want = exitRefused
		}
		for _, text := range c.want {
			if !strings.Contains(out, text) {
				t.Errorf("%s: it does not print %q", c.line, text)
			}
		}
		if code != want || strings.Count(out, ": error: ") != len(c.want) || t.Failed() {
			t.Errorf("%s: exit code %d\n%s%s", c.line, code, out, errs)
		}
	}
}
