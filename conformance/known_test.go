package conformance_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/conformance/run"
)

// Every test that a known difference names exists.
func TestKnownDifferencesNameTests(t *testing.T) {
	doc, err := os.ReadFile("known_differences.yaml")
	if err != nil {
		t.Fatal(err)
	}
	known, err := run.ParseKnownDifferences(doc)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range known {
		if d.Test == "" {
			continue
		}
		folder, name, _ := strings.Cut(d.Test, ".")
		files, _ := filepath.Glob(filepath.Join("..", folder, "*_test.go"))
		found := false
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			found = found || strings.Contains(string(text), "func "+name+"(")
		}
		if !found {
			t.Errorf("there is no test %s", d.Test)
		}
	}
}
