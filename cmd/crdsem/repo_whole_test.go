package main

import (
	"maps"
	"os"
	"strings"
	"testing"
)

// wholeRepository is one with what platform teams have next to
// custom resources. Nothing in it is wrong.
var wholeRepository = map[string]string{
	".git/HEAD":                 "",
	".github/workflows/ci.yaml": "on: push\njobs: [\n",
	".sops.yaml":                "creation_rules: []\n",
	"apps/kustomization.yaml": "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n" +
		"resources: [w.yaml]\n",
	"apps/component.yaml":            "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n",
	"apps/w.yaml":                    widget,
	"charts/op/Chart.yaml":           "apiVersion: v2\nname: op\nversion: 1.0.0\n",
	"charts/op/values.yaml":          "size: 1\n",
	"charts/op/templates/w.yaml":     "{{- if .Values.size }}\n" + widget + "{{- end }}\n",
	"charts/op/templates/label.yaml": "labels: {{ toYaml .Values.labels }}\n",
	"playbook.yaml":                  "- hosts: all\n  tasks: []\n",
	"compose.yaml":                   "services: {web: {image: a}}\n",
	"package.json":                   `{"name": "a"}`,
	"flux/apps.yaml": "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\n" +
		"metadata: {name: apps}\nspec: {path: ./substituted, postBuild: {substitute: {APP: web}}}\n",
	"substituted/w.yaml": strings.Replace(widget, "name: w", "name: '${APP}-x'", 1),
	"unknown/w.yaml":     strings.Replace(widget, "name: w", "name: '${APP}-x'", 1),
	"secrets/w.sops.yaml": strings.Replace(widget, "size: 1", "size: 'ENC[AES256_GCM,data:x,type:int]'", 1) +
		"sops: {mac: 'ENC[AES256_GCM,data:y]', version: 3.9.0}\n",
	"over/kustomization.yaml": "resources: [../apps, completed.yaml]\n" +
		"patches: [{path: patch.yaml}]\nlabels: [{includeSelectors: true, pairs: {app: a}}]\n",
	"over/completed.yaml": "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: c}\n" +
		"spec: {template: {spec: {containers: [{name: a, image: 'a:${TAG}'}]}}}\n",
	"over/patch.yaml": "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\nspec: {}\n",
	"built/in.yaml": "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: d}\n" +
		"spec: {minAvailable: 1}\n",
}

// A repository is green, and red for what is wrong in it. Its definitions are
// those that were copied: two commands after the clone.
func TestWholeRepository(t *testing.T) {
	required := strings.Replace(widgets, "properties: {size: {type: integer}}",
		"required: [size], properties: {size: {type: integer}}", 1)
	for _, c := range []struct {
		line, file, text string
		want             []string
	}{
		{line: "nothing is wrong", want: []string{"6 accepted, 0 refused, 14 not judged",
			"not judged, read by a tool, not by a server: 1 Kustomization, 1 kustomize.config.k8s.io",
			"not judged, a template: render it first: 2 Helm, 1 Go",
			"not judged, a patch of kustomize: 1", "2 built-in objects validated by structure",
			"findings left out on variables, which Flux replaces: 1",
			"findings left out on values that SOPS encrypted: 1"}},
		{line: "a field of a patch", file: "over/patch.yaml",
			text: strings.Replace(wholeRepository["over/patch.yaml"], "spec: {}", "spec: {sise: 1}", 1),
			want: []string{`over/patch.yaml:4:8: error: Widget w: unknown field "spec.sise"`}},
		{line: "a field of an encrypted object", file: "secrets/w.sops.yaml",
			text: strings.Replace(wholeRepository["secrets/w.sops.yaml"], "size:", "sise: 1, size:", 1),
			want: []string{`secrets/w.sops.yaml:4:8: error: Widget w: unknown field "spec.sise"`}},
		{line: "a name that is substituted", file: "substituted/w.yaml",
			text: strings.Replace(wholeRepository["substituted/w.yaml"], "-x", "-X", 1),
			want: []string{"substituted/w.yaml:3:18: error: Widget web-X: metadata.name"}},
		{line: "a file that is no YAML", file: "apps/x.yaml", text: "a: [\n",
			want: []string{"apps/x.yaml:2:1: error: yaml: "}},
		{line: "a field of a built-in kind", file: "built/in.yaml",
			text: strings.Replace(wholeRepository["built/in.yaml"], "minAvailable", "minAvailible", 1),
			want: []string{`built/in.yaml:4:8: error: PodDisruptionBudget d: unknown field ` +
				`"spec.minAvailible" [PIPE-006] (hint: did you mean `}},
		{line: "a version that is no longer served", file: "built/in.yaml",
			text: strings.Replace(wholeRepository["built/in.yaml"], "policy/v1", "policy/v1beta1", 1),
			want: []string{"built/in.yaml:1:13: error: PodDisruptionBudget d: Kubernetes 1.37 does " +
				"not serve policy/v1beta1 PodDisruptionBudget, which was removed after 1.24 " +
				"(hint: write `policy/v1`)"}},
		{line: "a kind without a definition", file: "apps/x.yaml", text: rollout,
			want: []string{"add `- github:argoproj/argo-rollouts@latest//manifests/crds` to " +
				"definitions.sources of .crdsem.yaml, and run crdsem vendor"}},
	} {
		t.Run(c.line, func(t *testing.T) {
			all := maps.Clone(wholeRepository)
			all["../upstream/crd.yaml"] = required
			all[".crdsem.yaml"] = "definitions: {sources: [../upstream]}\n" +
				"skip: {kinds: [Kustomization.kustomize.toolkit.fluxcd.io]}\n"
			if c.file != "" {
				all[c.file] = c.text
			}
			writeFiles(t, map[string]string{"r/.keep": ""})
			t.Chdir("r")
			writeMore(t, all)
			if code, out, errs := execute(t, "", "vendor"); code != exitOK {
				t.Fatalf("vendor: exit code %d\n%s%s", code, out, errs)
			}
			code, out, errs := execute(t, "", "validate", "--require-definitions", ".")
			for _, want := range c.want {
				if !strings.Contains(out+errs, want) {
					t.Errorf("it does not print %q", want)
				}
			}
			isGreen := c.file == ""
			if (code == exitOK) != isGreen || strings.Count(out, "error: ") > 1 || t.Failed() {
				t.Errorf("exit code %d\n%s%s", code, out, errs)
			}
		})
	}
}

// Folders whose name starts with a dot are not read unless they are named; a
// hidden file is read.
func TestHiddenFiles(t *testing.T) {
	bad := strings.Replace(widget, "1", "x", 1)
	writeFiles(t, map[string]string{"crd.yaml": widgets, "w.yaml": widget, ".github/w.yaml": bad})
	if code, out, _ := execute(t, "", "validate", "."); code != exitOK {
		t.Errorf("a hidden folder: exit code %d\n%s", code, out)
	}
	if code, out, _ := execute(t, "", "validate", "crd.yaml", ".github"); code != exitRefused {
		t.Errorf("a hidden folder that is named: exit code %d\n%s", code, out)
	}
	if err := os.Rename(".github/w.yaml", ".w.yaml"); err != nil {
		t.Fatal(err)
	}
	if code, out, _ := execute(t, "", "validate", "."); code != exitRefused {
		t.Errorf("a hidden file: exit code %d\n%s", code, out)
	}
}

// The schemas that an editor finds by a comment in a file judge it, too.
func TestSchemaForEditors(t *testing.T) {
	writeFiles(t, map[string]string{"crd.yaml": widgets})
	code, out, errs := execute(t, "", "schema", "--dir", "schemas", "crd.yaml")
	text, err := os.ReadFile("schemas/example.com/widget_v1.json")
	if code != exitOK || err != nil || !strings.Contains(string(text), `"integer"`) {
		t.Errorf("exit code %d, %v\n%s%s%s", code, err, out, errs, text)
	}
}
