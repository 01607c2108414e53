package conformance_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/internal/app/evaluator/whole"
	"github.com/crdsem/crdsem/internal/app/protocol"
	"github.com/crdsem/crdsem/internal/test/suite"
)

// knownDifferences reads the list of known differences.
func knownDifferences(t *testing.T) suite.KnownDifferences {
	t.Helper()
	doc, err := os.ReadFile("known_differences.yaml")
	if err != nil {
		t.Fatal(err)
	}
	known, err := suite.ParseKnownDifferences(doc)
	if err != nil {
		t.Fatal(err)
	}
	return known
}

// Every test that a known difference names exists. The folder root is the root
// of the repository.
func TestKnownDifferencesNameTests(t *testing.T) {
	for _, d := range knownDifferences(t) {
		if d.Test == "" {
			continue
		}
		folder, name, _ := strings.Cut(d.Test, ".")
		folder = filepath.Join("..", strings.TrimPrefix(folder, "root"))
		files, _ := filepath.Glob(filepath.Join(folder, "*_test.go"))
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

// The known differences are exactly the vectors on which the real code panics.
// The library answers each of them.
func TestKnownDifferencesArePanics(t *testing.T) {
	known := knownDifferences(t)
	panicking, handler := 0, whole.New()
	for _, v := range loadVectors(t) {
		var want struct{ Fault string }
		if err := json.Unmarshal(v.Want, &want); err != nil {
			t.Fatal(err)
		}
		panics := strings.HasPrefix(want.Fault, "panic: ")
		if panics != (known.Find(v.ID) >= 0) {
			t.Errorf("%s: the real code panics: %t; it is a known difference: %t", v.ID, panics,
				!panics)
		}
		if !panics {
			continue
		}
		panicking++
		req, err := v.ProtocolRequest()
		if err != nil {
			t.Fatal(err)
		}
		answer := protocol.AnswerRequest(context.Background(), req, handler)
		if answer.Fault != "" {
			t.Errorf("%s: no answer: %s", v.ID, answer.Fault)
		}
	}
	if panicking < 12 {
		t.Errorf("only %d vectors on which the real code panics", panicking)
	}
}
