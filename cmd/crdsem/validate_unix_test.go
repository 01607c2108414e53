//go:build unix

package main

import (
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Paths that cannot be read have a line each; the rest is judged.
func TestBadPaths(t *testing.T) {
	writeFiles(t, map[string]string{
		"crd.yaml": widgets, "good/w.yaml": widget, "good/.hidden/w.yaml": "[", "none/a.txt": "",
		"empty.yaml": "",
	})
	for from, to := range map[string]string{
		"loop.yaml": "loop.yaml", "good/gone.yaml": "nowhere", "good/up": "..",
	} {
		if err := os.Symlink(to, from); err != nil {
			t.Fatal(err)
		}
	}
	lines, code := judged(t, "crd.yaml", "missing.yaml", "m*.yaml", "[", "loop.yaml", "none",
		"empty.yaml", "good", "good/w.yaml", "/dev/null/x")
	want := `missing.yaml: error: no such file or directory
m*.yaml: error: no file matches
[: error: syntax error in pattern
loop.yaml: error: too many levels of symbolic links
none: error: the folder has no file that ends in .yaml, .yml, .json
empty.yaml: warning: the file holds no document
good/gone.yaml: error: no such file or directory
/dev/null/x: error: not a directory
`
	if diff := cmp.Diff(want, lines); diff != "" || code != exitFailed {
		t.Errorf("exit code %d\n%s", code, diff)
	}
	_, out, _ := execute(t, "", "validate", "crd.yaml", "missing.yaml", "good")
	if !strings.Contains(out, "1 object: 1 accepted, 0 refused; "+
		"1 definition: 1 accepted, 0 refused; 2 inputs could not be read\n") {
		t.Error(out)
	}
}

// A FIFO with the name of a kustomization may have no writer. It is not read.
func TestKustomizationIsFIFO(t *testing.T) {
	writeFiles(t, map[string]string{"crd.yaml": widgets, "w.yaml": widget})
	if err := syscall.Mkfifo("kustomization.yaml", 0o644); err != nil {
		t.Fatal(err)
	}
	if lines, code := judged(t, "crd.yaml", "w.yaml"); code != exitOK {
		t.Errorf("exit code %d\n%s", code, lines)
	}
}
