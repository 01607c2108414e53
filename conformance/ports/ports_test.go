// Package ports records the scores of ports to other languages, each in a
// folder of its own.
package ports

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/crdsem/crdsem/internal/test/suite"
)

// python starts the port in Python.
func python(t *testing.T) *suite.Program {
	t.Helper()
	interpreter, err := exec.LookPath("python3")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("no python3 in PATH: CI installs it before the tests")
		}
		t.Skip("no python3 in PATH: it tests the port to Python") // users need none; CI has it
	}
	program, err := suite.Start(t.Context(), suite.Command{
		Name:   interpreter,
		Args:   []string{"-B", filepath.Join("python", "port.py")},
		Stderr: os.Stderr,
	})
	if err != nil {
		t.Fatal(err)
	}
	return program
}

// The port in Python answers every vector of its ops as the real code of the
// oldest and of the newest minor does.
func TestPython(t *testing.T) {
	vectors, err := suite.Load(os.DirFS(filepath.Join("..", "vectors", "eval")))
	if err != nil {
		t.Fatal(err)
	}
	for _, minor := range []string{suite.Minors()[0], suite.Newest()} {
		asked, err := suite.Under(minor, vectors)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(minor, func(t *testing.T) { runPython(t, asked) })
	}
}

func runPython(t *testing.T, vectors []suite.Vector) {
	t.Helper()
	program := python(t)
	report, err := suite.Run(t.Context(), vectors, program, suite.Lists{})
	if err != nil {
		t.Fatal(err)
	}
	if err := program.Close(); err != nil {
		t.Error(err)
	}
	for _, result := range report.Unexcused() {
		t.Errorf("%s %s %s: %s", result.Outcome, result.ID, result.Rule, result.Detail)
	}
	for _, group := range []string{"ver", "prune", "def"} {
		if report.Groups()[group].Passed == 0 {
			t.Errorf("group %s: no vector passes", group)
		}
	}
}
