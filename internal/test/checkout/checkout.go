// Package checkout finds files of the repository from the package under test.
package checkout

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// Root returns the root of the repository: the folder, at or above the current
// one, that has conformance/vectors.
func Root() (string, error) {
	at, err := os.Getwd()
	for err == nil {
		if _, missing := os.Stat(filepath.Join(at, "conformance", "vectors")); missing == nil {
			return at, nil
		}
		if filepath.Dir(at) == at {
			return "", errors.New("no folder conformance/vectors here or above")
		}
		at = filepath.Dir(at)
	}
	return "", err
}

// File returns the path of a file that is named from the root, with slashes.
func File(t testing.TB, path string) string {
	t.Helper()
	root, err := Root()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(root, filepath.FromSlash(path))
}
