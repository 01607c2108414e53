package main

import (
	"strings"
	"testing"
)

// A definition to which a kustomization adds a conversion webhook loses no
// field in storage.
func TestLintOfPatchedBase(t *testing.T) {
	const patch = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n" +
		"metadata: {name: boxes.ex.io}\nspec: {conversion: {strategy: Webhook}}\n"
	for _, c := range []struct {
		kustomization string
		isLost        bool
	}{
		{"patches: [{path: webhook.yaml}]\n", false},
		{"patchesStrategicMerge: [webhook.yaml]\n", false},
		{"patches:\n- patch: |\n    " + strings.ReplaceAll(strings.TrimSpace(patch), "\n", "\n    ") + "\n", false},
		{"patches: [{path: none.yaml}]\n", true},
		{"resources: [bases/crd.yaml]\n", true},
	} {
		writeFiles(t, map[string]string{
			"crd/bases/crd.yaml":     boxes("", [2]string{"v1", onlyA}, [2]string{"v1beta2", withDep}),
			"crd/kustomization.yaml": c.kustomization, "crd/webhook.yaml": patch,
		})
		_, out, errs := execute(t, "", "lint", "crd/bases")
		if strings.Contains(out, "LINT-storage") != c.isLost {
			t.Errorf("%s:\n%s%s", c.kustomization, out, errs)
		}
	}
}
