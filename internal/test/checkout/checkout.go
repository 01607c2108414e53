// Package checkout has the files of tests that are in a checkout of the
// repository, and not in the zip of the module: their folders are modules of
// their own, so that the zip stays small.
package checkout

import (
	"os"
	"path/filepath"
	"testing"
)

// Read returns the content of a file. Without a checkout the test is skipped;
// it fails where CI is set.
func Read(t testing.TB, path string) string {
	t.Helper()
	text, err := os.ReadFile(File(t, path))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// File returns the path of a file that exists, as Read does its content.
func File(t testing.TB, path string) string {
	t.Helper()
	if _, err := os.Stat(path); err != nil && os.Getenv("CI") == "" {
		t.Skipf("the module's zip has no %s: run the tests in a checkout", path)
	}
	return path
}

// FromRoot is like File for a path from the root of the repository.
func FromRoot(t testing.TB, path string) string {
	t.Helper()
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for !isRoot(root) && root != filepath.Dir(root) {
		root = filepath.Dir(root)
	}
	return File(t, filepath.Join(root, filepath.FromSlash(path)))
}

// isRoot reports whether a folder is the root of a checkout.
func isRoot(folder string) bool {
	_, err := os.Stat(filepath.Join(folder, "go.work"))
	return err == nil
}
