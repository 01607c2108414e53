package main

import (
	"os"
	"strings"
	"testing"
)

// A repository is judged by the definitions that were copied.
func TestVendor(t *testing.T) {
	writeFiles(t, map[string]string{
		".crdsem.yaml":         "definitions:\n  sources: [other/crds]\n",
		"other/crds/crds.yaml": widgets,
		"app/w.yaml":           widget,
		".git/HEAD":            "",
	})
	for _, step := range []struct {
		args, out, errs string
		code            int
		prepare         func() error
	}{
		{args: "vendor --check", code: exitRefused, errs: "run crdsem vendor"},
		{args: "validate app", code: exitNotJudged},
		{args: "vendor", out: "other/crds: 1 definition\n"},
		{args: "vendor --check"},
		{args: "validate app", out: "1 object: 1 accepted"},
		{
			args: "vendor --update", out: "widgets.example.com: removed",
			prepare: func() error {
				text := strings.ReplaceAll(widgets, "example.com", "example.org")
				return os.WriteFile("other/crds/crds.yaml", []byte(text), 0o600)
			},
		},
		{
			args: "vendor --check", code: exitRefused, errs: "differs from the lock file",
			prepare: func() error {
				return os.WriteFile(".crdsem/widgets.example.org.yaml", []byte("a: b"), 0o600)
			},
		},
		{args: "vendor --check --update", code: exitFailed, errs: "none of the others can be"},
		{
			args: "vendor", code: exitFailed, errs: `unknown key "source"`,
			prepare: func() error {
				return os.WriteFile(".crdsem.yaml", []byte("definitions:\n  source: a\n"), 0o600)
			},
		},
	} {
		if step.prepare != nil {
			if err := step.prepare(); err != nil {
				t.Fatal(err)
			}
		}
		code, out, errs := execute(t, "", strings.Fields(step.args)...)
		if code != step.code || !strings.Contains(out, step.out) ||
			!strings.Contains(errs, step.errs) {
			t.Errorf("%s: exit code %d\n%s%s", step.args, code, out, errs)
		}
	}
}

// Warnings of the size of a copied definition are idle: nobody applies it.
func TestVendoredIsLarge(t *testing.T) {
	large := strings.Replace(widgets, "type: object", "type: object\n        description: "+
		strings.Repeat("a", 300_000), 1)
	writeFiles(t, map[string]string{
		".crdsem.yaml": "definitions:\n  sources: [other/crds]\n", ".git/HEAD": "",
		"other/crds/crds.yaml": large, "app/w.yaml": widget,
	})
	if code, out, errs := execute(t, "", "vendor"); code != exitOK {
		t.Fatalf("exit code %d\n%s%s", code, out, errs)
	}
	code, out, _ := execute(t, "", "validate", "app")
	if code != exitOK || strings.Contains(out, "warning") {
		t.Errorf("exit code %d\n%s", code, out)
	}
	_, out, _ = execute(t, "", "check", "other")
	if !strings.Contains(out, "kubectl apply fails") {
		t.Errorf("of the definition itself: %s", out)
	}
	bad := strings.Replace(large, "scope: Namespaced", "scope: Nowhere", 1)
	writeMore(t, map[string]string{".crdsem/widgets.example.com.yaml": bad})
	_, out, _ = execute(t, "", "validate", "app")
	if !strings.HasPrefix(out, ".crdsem/widgets.example.com.yaml:") {
		t.Errorf("an error has no relative path: %.200s", out)
	}
}

const rollout = "apiVersion: argoproj.io/v1alpha1\nkind: Rollout\nmetadata: {name: a}\n"

// The sources of a stranger's repository are found, and those that are missing
// are named.
func TestVendorInit(t *testing.T) {
	writeFiles(t, map[string]string{
		"a.yaml": rollout + "---\n" + widget, "values.yaml": "a: b", "t.yaml": "{{ a }}: {{ b }}",
		"b.yaml": "apiVersion: cert-manager.io/v1\nkind: Issuer\nmetadata: {name: a}\n",
		"c.yaml": "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\n",
	})
	const source = "- github:argoproj/argo-rollouts@latest//manifests/crds"
	if _, _, errs := execute(t, "", "validate", "."); !strings.Contains(errs, source) {
		t.Errorf("validate does not name %s:\n%s", source, errs)
	}
	_, out, _ := execute(t, "", "validate", "--require-definitions", ".")
	if !strings.Contains(out, "add `"+source+"` to definitions.sources") {
		t.Errorf("--require-definitions does not name %s:\n%s", source, out)
	}
	code, out, errs := execute(t, "", "vendor", "--init", ".")
	text, err := os.ReadFile(".crdsem.yaml")
	const want = `definitions:
  sources:
  - github:argoproj/argo-rollouts@latest//manifests/crds
  - github:cert-manager/cert-manager@latest//deploy/crds
  # publisher not known: example.com (Widget)
`
	if code != exitOK || err != nil || string(text) != schemaComment+want ||
		!strings.HasSuffix(out, want) {
		t.Errorf("exit code %d, %v\n%s%s%s", code, err, text, out, errs)
	}
	if _, out, _ := execute(t, "", "vendor", "--init", "."); !strings.Contains(out, source) {
		t.Errorf("again:\n%s", out)
	}
	if again, _ := os.ReadFile(".crdsem.yaml"); string(again) != schemaComment+want {
		t.Errorf("the second --init changes the configuration:\n%s", again)
	}
	_, out, errs = execute(t, "", "validate", "--require-definitions", ".")
	if strings.Contains(errs, "can be added") || !strings.Contains(errs, source) ||
		!strings.Contains(out, "(hint: run crdsem vendor)") {
		t.Errorf("sources of the configuration are to be added:\n%s%s", out, errs)
	}
}

// A kind with a known publisher is of no other group, and one that is probably
// misspelt is not in a source.
func TestMeantOrPublished(t *testing.T) {
	writeFiles(t, map[string]string{"crd.yaml": strings.NewReplacer(
		"example.com", "cert-manager.io", "Widget", "Rollout").Replace(widgets)})
	const typo = "apiVersion: cert-manager.io/v1\nkind: Rolout\nmetadata: {name: a}\n"
	for _, c := range []struct{ object, want, not string }{
		{rollout, "argo-rollouts", "did you mean"},
		{typo, "did you mean `Rollout`?", "definitions.sources"},
	} {
		_, out, errs := execute(t, c.object, "validate", "--crd", "crd.yaml", "-")
		if all := out + errs; !strings.Contains(all, c.want) || strings.Contains(all, c.not) {
			t.Errorf("want %s, and not %s:\n%s", c.want, c.not, all)
		}
	}
}

// A cluster is asked by kubectl.
func TestVendorCluster(t *testing.T) {
	writeFiles(t, map[string]string{
		".crdsem.yaml": "definitions: {folder: crds, sources: [cluster:here]}\n",
		"bin/kubectl": `#!/bin/sh
[ "$5 $6" = "--context=here " ] || { echo "args: $*" >&2; exit 1; }
echo '{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"apiextensions.k8s.io/v1",
"kind":"CustomResourceDefinition","metadata":{"name":"as.example.com","uid":"1","annotations":
{"kubectl.kubernetes.io/last-applied-configuration":"x","a":"b"}},"spec":{"group":"example.com"},
"status":{"storedVersions":["v1"]}}]}'
`,
	})
	if err := os.Chmod("bin/kubectl", 0o755); err != nil {
		t.Fatal(err)
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", here+"/bin:"+os.Getenv("PATH"))
	code, out, errs := execute(t, "", "vendor")
	text, err := os.ReadFile("crds/as.example.com.yaml")
	const want = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  annotations:
    a: b
  name: as.example.com
spec:
  group: example.com
`
	if code != exitOK || err != nil || string(text) != want {
		t.Errorf("exit code %d, %v\n%s%s%s", code, err, text, out, errs)
	}
}
