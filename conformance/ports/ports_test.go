// Package ports records the scores of ports to other languages, each in a
// folder of its own.
package ports

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/internal/test/suite"
)

// python starts a program in Python.
func python(t *testing.T, file string) *suite.Program {
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
		Args:   []string{"-B", file},
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
	program := python(t, filepath.Join("python", "port.py"))
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

// The program and the report of the guide's first run are right, and so is the
// number of vectors of each day.
func TestGuide(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "implementing.md"))
	if err != nil {
		t.Fatal(err)
	}
	block := func(language string) string {
		found := regexp.MustCompile("(?s)```" + language + "\n(.*?)```").FindSubmatch(page)
		if found == nil {
			t.Fatalf("the guide has no block of %s", language)
		}
		return string(found[1])
	}
	file := filepath.Join(t.TempDir(), "port.py")
	if err := os.WriteFile(file, []byte(block("python")), 0o600); err != nil {
		t.Fatal(err)
	}
	vectors, err := suite.Load(os.DirFS(filepath.Join("..", "vectors", "eval")))
	if err != nil {
		t.Fatal(err)
	}
	if vectors, err = suite.InProfile("objects", vectors); err != nil {
		t.Fatal(err)
	}
	report, err := suite.Run(t.Context(), vectors, python(t, file), suite.Lists{})
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := report.WriteText(&out, 20); err != nil {
		t.Fatal(err)
	}
	if err := report.WriteParts(&out); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(block("text")) {
		if !strings.Contains(line, "…") && !strings.Contains(out.String(), line) {
			t.Errorf("not printed: %q", line)
		}
	}
	parts := map[suite.Part]int{}
	for i := range vectors {
		parts[vectors[i].Part]++
	}
	for op, count := range map[string]int{
		"sort": parts[suite.Sort], "prune": parts[suite.Prune], "default": parts[suite.Default],
		"validate": parts[suite.Values] + parts[suite.Formats] + parts[suite.ListTypes],
	} {
		if row := fmt.Sprintf("| `%s` | %d |", op, count); !strings.Contains(string(page), row) {
			t.Errorf("the guide does not have %q", row)
		}
	}
}
