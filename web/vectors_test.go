package web_test

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/internal/test/suite"
)

// The program of the npm package, which is also that of the page, answers every
// vector as the real code does, except for the known differences. Those of
// writes, which it does not answer, are skipped.
func TestVectorsPassInWebAssembly(t *testing.T) {
	vectors, err := suite.Load(os.DirFS("../conformance/vectors/eval"))
	if err != nil {
		t.Fatal(err)
	}
	doc, err := os.ReadFile("../conformance/known_differences.yaml")
	if err != nil {
		t.Fatal(err)
	}
	known, err := suite.ParseKnownDifferences(doc)
	if err != nil {
		t.Fatal(err)
	}
	report, err := suite.Run(t.Context(), vectors, node(t), suite.Lists{Known: known})
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	if err := report.WriteText(&text, 10); err != nil {
		t.Fatal(err)
	}
	t.Log(text.String())
	if len(report.Results) < 6000 || !report.OK() {
		t.Error("not every vector passes")
	}
}

// node starts Node, which answers with the built program.
func node(t *testing.T) *suite.Program {
	t.Helper()
	_, missing := os.Stat("dist/npm/crdsem.wasm.gz")
	if _, err := exec.LookPath("node"); err != nil || missing != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("no node in PATH, or nothing built: CI runs make web before the tests")
		}
		// Users of the Go module need no Node.
		t.Skip("no node in PATH, or nothing built: install it and run make web")
	}
	program, err := suite.Start(context.Background(), suite.Command{
		Name: "node", Args: []string{"test/serve.js"}, Stderr: os.Stderr,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := program.Close(); err != nil {
			t.Error(err)
		}
	})
	return program
}
