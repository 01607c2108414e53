package firstsuite_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/crdtest"
	"github.com/crdsem/crdsem/internal/app/firstsuite"
)

const definition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: pools.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: pools, singular: pool, kind: Pool, listKind: PoolList}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    schema:
      openAPIV3Schema:
        type: object
        required: [spec]
        properties:
          spec:
            type: object
            required: [size]
            properties:
              size: {type: integer, minimum: 1}
              mode: {type: string, default: Auto}
              id:
                type: string
                x-kubernetes-validations: [{rule: self == oldSelf, message: id is immutable}]
              nodes:
                type: array
                maxItems: 10
                items:
                  type: object
                  properties:
                    name: {type: string, maxLength: 63}
                    weight: {type: integer, default: 1}
                  x-kubernetes-validations:
                  - {rule: "!has(self.name) || self.name.startsWith('n-')", message: bad name}
            x-kubernetes-validations:
            - {rule: "self.mode != 'Fixed' || self.size <= 5", message: a fixed pool is small}
          status:
            type: object
            properties:
              ready: {type: integer, minimum: 0}
            x-kubernetes-validations:
            - {rule: "!has(self.ready) || self.ready < 1000", message: too many are ready}
`

// A first suite has a case for the smallest object, each default, and each rule
// kept and broken. All of them pass when the file is read back.
func TestSuite(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "crd.yaml")
	if err := os.WriteFile(file, []byte(definition), 0o666); err != nil {
		t.Fatal(err)
	}
	crds, err := crdtest.ReadCRDs(file)
	if err != nil {
		t.Fatal(err)
	}
	suite, err := firstsuite.Of(t.Context(), crds[0])
	if err != nil {
		t.Fatal(err)
	}
	text, err := suite.Text("crd.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"- name: the smallest object\n", "mode: Auto\n",
		"- name: the default of spec.nodes[].weight\n", "kept: self == oldSelf", "broken: self == oldSelf",
		"error: id is immutable\n", "error: bad name\n", "error: a fixed pool is small\n",
		"- name: n-", "updateStatus:\n", "error: too many are ready\n",
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %q", want)
		}
	}
	if strings.Contains(string(text), "no case was found") {
		t.Error("a case is missing")
	}
	if t.Failed() {
		t.Log(string(text))
	}
	suites, err := crdtest.ParseSuites(filepath.Join(dir, "pools.crdtest.yaml"), text)
	if err != nil {
		t.Fatal(err)
	}
	results, err := crdtest.Execute(t.Context(), nil, suites)
	if err != nil || len(results) < 8 {
		t.Fatalf("%d results: %v", len(results), err)
	}
	for _, r := range results {
		if r.Err != nil || r.Skipped != "" {
			t.Errorf("%s: %v %s", r.Case, r.Err, r.Skipped)
		}
	}
}
