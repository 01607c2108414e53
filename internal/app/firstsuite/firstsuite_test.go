package firstsuite_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/internal/app/firstsuite"
	"github.com/crdsem/crdsem/kit/crdtest"
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
              limits:
                type: object
                additionalProperties:
                  type: object
                  required: [soft]
                  properties:
                    soft: {type: integer}
                    hard: {type: integer, default: 9}
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
            - {rule: "self.size >= 1"}
            - {rule: "!oldSelf.hasValue() || oldSelf.value().size <= self.size", optionalOldSelf: true}
          status:
            type: object
            properties:
              state: {type: string, default: New}
              ready: {type: integer, minimum: 0}
            x-kubernetes-validations:
            - {rule: "!has(self.ready) || self.ready < 1000", message: too many are ready}
`

// No suite is made for a definition that cannot be used, or after the end of
// the context.
func TestNoSuite(t *testing.T) {
	for name, text := range map[string]string{
		"not compiled": strings.Replace(definition, "{type: string, default: Auto}", "{type: string, default: Auto, items: [{}]}", 1),
		"not decoded":  strings.Replace(definition, "versions:", "versions: 5\n  x:", 1),
		"canceled":     definition,
	} {
		file := filepath.Join(t.TempDir(), "crd.yaml")
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		crds, err := crdtest.ReadCRDs(file)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		if name == "canceled" {
			cancel()
		}
		if suite, err := firstsuite.Of(ctx, crds[0]); err == nil || suite != nil {
			t.Errorf("%s: %v", name, err)
		}
		cancel()
	}
}

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
	text := suite.Text("crd.yaml")
	const golden = "testdata/pools.crdtest.yaml"
	if os.Getenv("CRDSEM_GOLDEN") == "write" {
		if err := os.WriteFile(golden, text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(text)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", golden, diff)
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
