package crdtest_test

import (
	"context"
	"io"
	"os"
	"testing"
	"time"

	"github.com/crdsem/crdsem/internal/app/coverage"
	"github.com/crdsem/crdsem/internal/app/mutation"
	"github.com/crdsem/crdsem/internal/test/crdcases"
	"github.com/crdsem/crdsem/kit/crdtest"
)

// No text is read with a panic, and no definition and suite are run with one.
func FuzzSuite(f *testing.F) {
	crd, err := os.ReadFile(crontab)
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range []string{
		"testdata/crontab/crontab.crdtest.yaml",
		"testdata/openshift/v1/tests/crontabs.stable.example.com/AAA_ungated.yaml",
		"testdata/examples/crontab.yaml",
	} {
		suite, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(crd, suite, true)
		f.Add(crd, suite, false)
	}
	f.Add([]byte("kind: CustomResourceDefinition\nspec: {group: g, names: {kind: K}, "+
		"versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: "+
		"{type: object, properties: [1], required: a, enum: [{}], items: 3, anyOf: {}, "+
		"not: [], x-kubernetes-validations: [1, {rule: 3}]}}}]}"),
		[]byte("cases:\n- {name: a, create: {apiVersion: g/v1, kind: K}}"), true)
	f.Fuzz(func(t *testing.T, definition, suite []byte, native bool) {
		if len(definition)+len(suite) > 1<<16 {
			return
		}
		crds, err := crdtest.ParseCRDs("crd.yaml", definition)
		if err != nil {
			return
		}
		name := "a.yaml"
		if native {
			name = "a.crdtest.yaml"
		}
		suites, err := crdtest.ReadSuites(crdcases.Write(t, t.TempDir(), name, string(suite)))
		if err != nil {
			return
		}
		for _, s := range suites {
			s.CRDFiles = nil // reads no other file
		}
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		if report, err := coverage.Measure(ctx, crds, suites); err == nil {
			if err := report.WriteText(io.Discard, 6); err != nil {
				t.Error(err)
			}
		}
		if mutants, err := mutation.Run(ctx, crds, suites); err == nil {
			if err := mutants.WriteText(io.Discard); err != nil {
				t.Error(err)
			}
		}
	})
}
