package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A definition that a kustomization gives a conversion has no finding for the
// lack of one, and the patches of a scaffold are no definitions, used or not.
func TestLintKnowsKustomizations(t *testing.T) {
	const base = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: foos.g.io}
spec:
  group: g.io
  scope: Cluster
  names: {plural: foos, kind: Foo}
  versions:
  - {name: v1, served: true, storage: false, schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {a: {type: string}}}}}}}
  - {name: v2, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object}}}}}
`
	const webhook = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: foos.g.io}
spec:
  conversion: {strategy: Webhook}
`
	for _, c := range []struct {
		name, kustomization string
		isFound             bool
	}{
		{"a patch", "resources: [bases/foos.yaml]\npatches: [{path: patches/webhook.yaml}]\n", false},
		{"a patch in a comment", "resources: [bases/foos.yaml]\n#patches: [{path: patches/webhook.yaml}]\n", true},
		{"no kustomization", "", true},
	} {
		folder := t.TempDir()
		for _, name := range []string{"bases", "patches"} {
			if err := os.Mkdir(filepath.Join(folder, name), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		write(t, filepath.Join(folder, "bases", "foos.yaml"), base)
		write(t, filepath.Join(folder, "patches", "webhook.yaml"), webhook)
		paths := []string{"lint", filepath.Join(folder, "bases")}
		if c.kustomization != "" {
			write(t, filepath.Join(folder, "kustomization.yaml"), c.kustomization)
			paths[1] = folder
		}
		code, out, errs := execute(t, "", paths...)
		if found := strings.Contains(out, "LINT-storage"); code != exitOK || found != c.isFound {
			t.Errorf("%s: exit code %d, found %t\n%s%s", c.name, code, found, out, errs)
		}
	}
}
