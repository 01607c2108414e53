package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Definitions that a run found to be fine are known to the next one, which says
// the same. A cache that is damaged, or about another text, is not believed.
func TestCache(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", folder)
	t.Setenv("HOME", folder)
	file := func() string {
		t.Helper()
		var found string
		err := filepath.WalkDir(folder, func(path string, entry os.DirEntry, err error) error {
			if err == nil && strings.HasPrefix(entry.Name(), "definitions-") {
				found = path
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	bad := strings.Replace(widget, "size: 1", "size: x", 1)
	writeFiles(t, map[string]string{"crds/crd.yaml": widgets, "a.yaml": bad})
	run := func(args ...string) string {
		t.Helper()
		all := append([]string{"validate", "a.yaml", "--crd", "crds"}, args...)
		_, out, errs := execute(t, "", all...)
		return out + errs
	}
	want := run("--no-cache")
	if file() != "" || !strings.Contains(want, "spec.size") ||
		!strings.Contains(want, "1 definition: 1 accepted") {
		t.Fatalf("without a cache: %s %s", file(), want)
	}
	first, second := run(), run()
	if first != want || second != want || file() == "" {
		t.Errorf("%s\n%s\n%s\nwant %s", file(), first, second, want)
	}
	text, err := os.ReadFile(file())
	if err != nil || !strings.Contains(string(text), `"plural":"widgets"`) {
		t.Fatalf("%s, %v", text, err)
	}
	for _, damaged := range []string{
		"", "x", strings.Replace(string(text), "Widget", "Gadget", 1), string(text[:len(text)-9]),
	} {
		if err := os.WriteFile(file(), []byte(damaged), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := run(); got != want {
			t.Errorf("damaged: %s", got)
		}
	}
	define := func(typ string) {
		other := strings.Replace(widgets, "type: integer", "type: "+typ, 1)
		writeMore(t, map[string]string{"crds/crd.yaml": other})
	}
	define("string")
	if got := run(); !strings.Contains(got, "1 accepted, 0 refused; 1 definition") {
		t.Errorf("another definition: %s", got)
	}
	define("wrong")
	for range 2 {
		if got := run(); !strings.Contains(got, "Unsupported value") {
			t.Errorf("a refused definition: %s", got)
		}
	}
	writeMore(t, map[string]string{"crds/crd.yaml": widgets})
	for _, args := range []string{"-v", "--kubernetes 1.31-1.37", "--field-validation Warn"} {
		of := strings.Fields(args)
		fresh, again := run(append(of, "--no-cache")...), run(of...)
		if fresh != again || run(of...) != fresh {
			t.Errorf("%s: %s\n%s", args, fresh, again)
		}
	}
	if err := os.RemoveAll(filepath.Dir(file())); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "blocked"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("XDG_CACHE_HOME", filepath.Join(folder, "blocked"))
	if got := run(); got != want {
		t.Errorf("no folder: %s", got)
	}
}
