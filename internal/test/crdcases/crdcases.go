// Package crdcases reads definitions and suites for the tests of crdtest and of
// its subpackages.
package crdcases

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/internal/test/corpus"
	"github.com/crdsem/crdsem/kit/crdtest"
)

// Read reads definitions and suites.
func Read(t testing.TB, crds []string, suites ...string) ([]*crdtest.CRD, []*crdtest.Suite) {
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

// Write writes a file below a folder.
func Write(t testing.TB, folder, name, text string) string {
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

// Suite reads cases in the format of package crdtest about a definition.
func Suite(t testing.TB, crd, cases string) (file string, suites []*crdtest.Suite) {
	t.Helper()
	folder := t.TempDir()
	text, err := os.ReadFile(crd)
	if err != nil {
		t.Fatal(err)
	}
	Write(t, folder, "crd.yaml", string(text))
	file = Write(t, folder, "x.crdtest.yaml", "crds: crd.yaml\ncases:\n"+cases)
	suites, err = crdtest.ReadSuites(file)
	if err != nil {
		t.Fatal(err)
	}
	return file, suites
}

// Failures returns the errors of the cases that are not as stated, without the
// folder of the suite.
func Failures(
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

// Project returns the suites of a project of the corpus, and its
// definitions. Of each definition it takes the variant with the given suffix,
// else the one without a suffix.
func Project(
	t testing.TB, project, suffix, folder string,
) (crds []*crdtest.CRD, suites []*crdtest.Suite) {
	t.Helper()
	root := filepath.Join(corpus.Folder(t), project)
	files := map[string]string{}
	for _, file := range corpus.Manifests(t, project, "crds") {
		name, variant, _ := strings.Cut(strings.TrimSuffix(file.Name(), ".yaml"), "--")
		if variant == suffix || variant == "" && files[name] == "" {
			files[name] = file.Path
		}
	}
	for _, file := range corpus.Manifests(t, project, "crds") {
		name, _, _ := strings.Cut(strings.TrimSuffix(file.Name(), ".yaml"), "--")
		if files[name] == file.Path {
			found, err := crdtest.ReadCRDs(file.Path)
			if err != nil {
				t.Fatal(err)
			}
			crds = append(crds, found...)
		}
	}
	suites, err := crdtest.ReadSuites(filepath.Join(root, folder))
	if err != nil {
		t.Fatal(err)
	}
	return crds, suites
}
