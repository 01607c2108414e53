package crdtest_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/crdtest"
)

const crontab = "testdata/crontab/crd.yaml"

// read reads definitions and suites.
func read(t testing.TB, crds []string, suites ...string) ([]*crdtest.CRD, []*crdtest.Suite) {
	t.Helper()
	definitions, err := crdtest.ReadCRDs(crds...)
	if err != nil {
		t.Fatal(err)
	}
	found, err := crdtest.ReadSuites(suites...)
	if err != nil {
		t.Fatal(err)
	}
	return definitions, found
}

// write writes a file below a folder.
func write(t testing.TB, folder, name, text string) string {
	t.Helper()
	path := filepath.Join(folder, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// suiteOf reads a suite in the format of this package about the CronTab.
func suiteOf(t testing.TB, cases string) (file string, suites []*crdtest.Suite) {
	t.Helper()
	folder := t.TempDir()
	crd, err := os.ReadFile(crontab)
	if err != nil {
		t.Fatal(err)
	}
	write(t, folder, "crd.yaml", string(crd))
	file = write(t, folder, "x.crdtest.yaml", "crds: crd.yaml\ncases:\n"+cases)
	suites, err = crdtest.ReadSuites(file)
	if err != nil {
		t.Fatal(err)
	}
	return file, suites
}

// failures returns the errors of the cases that are not as stated, without the
// folder of the suite.
func failures(
	t testing.TB, crds []*crdtest.CRD, suites []*crdtest.Suite,
) (failed map[string]string, count int) {
	t.Helper()
	results, err := crdtest.Execute(context.Background(), crds, suites)
	if err != nil {
		t.Fatal(err)
	}
	failed = map[string]string{}
	for _, r := range results {
		if r.Err != nil {
			text := r.Err.Error()
			if i := strings.Index(text, "x.crdtest.yaml"); i >= 0 {
				text = text[i:]
			}
			failed[r.Name()] = strings.Join(strings.Fields(text), " ")
		}
	}
	return failed, len(results)
}
