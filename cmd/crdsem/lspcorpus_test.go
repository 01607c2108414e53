package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/internal/app/edit"
	"github.com/crdsem/crdsem/internal/app/verdict"
	"github.com/crdsem/crdsem/internal/test/corpus"
	"github.com/crdsem/crdsem/kit/manifest"
)

// commandFindings returns the findings of a command by file, each with its
// place.
func commandFindings(t *testing.T, args ...string) (objects, definitions map[string][]string) {
	t.Helper()
	var out bytes.Buffer
	run(t.Context(), append(args, "-o", "json"), streams{strings.NewReader(""), &out, io.Discard})
	var answer struct{ Results []*verdict.Result }
	if err := json.Unmarshal(out.Bytes(), &answer); err != nil {
		t.Fatalf("%v: %v", args, err)
	}
	objects, definitions = map[string][]string{}, map[string][]string{}
	for _, r := range answer.Results {
		to := objects
		if r.Definition {
			to = definitions
		}
		for i := range r.Findings {
			f := &r.Findings[i]
			to[r.File] = append(to[r.File], fmt.Sprintf("%d:%d %s %s %s (%s)", f.Line, f.Column,
				f.Severity, f.Rule, f.Text, f.Hint))
		}
	}
	return objects, definitions
}

// typedOf returns the diagnostics of a file in the same form. A column of a
// finding without one is 0.
func typedOf(t *testing.T, w *edit.Workspace, path string) (all []string) {
	t.Helper()
	found, err := w.Diagnose(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range found {
		all = append(all, fmt.Sprintf("%d:%d %s %s %s (%s)", d.Range.Start.Line+1,
			d.Range.Start.Column+1, d.Severity, d.Rule, d.Message, d.Hint))
	}
	return all
}

// Every finding of validate, check and lint on the corpus is a diagnostic at
// the same place, and no other is. Without CRDSEM_LONG, every fifth project is
// compared.
func TestDiagnosticsAreFindings(t *testing.T) {
	folders, err := filepath.Glob(filepath.Join(corpus.Folder(t), "*"))
	if err != nil {
		t.Fatal(err)
	}
	step := 5
	if os.Getenv("CRDSEM_LONG") != "" {
		step = 1
	}
	count, compared := 0, 0
	for i := 0; i < len(folders); i += step {
		if info, err := os.Stat(folders[i]); err != nil || !info.IsDir() {
			continue
		}
		n, m := compareDiagnostics(t, folders[i])
		count, compared = count+n, compared+m
	}
	t.Logf("%d findings in %d files", count, compared)
	if count == 0 {
		t.Error("no finding was compared")
	}
}

// compareDiagnostics compares those of a folder. It returns how many findings
// and files were compared.
func compareDiagnostics(t *testing.T, folder string) (count, compared int) {
	t.Helper()
	objects, checked := commandFindings(t, "validate", folder)
	_, linted := commandFindings(t, "lint", folder)
	w := edit.NewWorkspace(edit.UTF32)
	paths := []string{}
	for _, source := range manifest.Find([]string{folder}, nil) {
		text, err := os.ReadFile(source.Path())
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, source.Path())
		w.Set(source.Path(), string(text))
	}
	for _, path := range paths {
		want := append(slices.Clone(objects[path]), linted[path]...)
		got := typedOf(t, w, path)
		for i, line := range want { // a finding about a whole line starts in its first column
			want[i] = strings.Replace(line, ":0 ", ":1 ", 1)
		}
		for _, line := range checked[path] {
			line = strings.Replace(line, ":0 ", ":1 ", 1)
			if !slices.Contains(got, line) {
				t.Errorf("%s: check says %s, the editor does not", path, line)
			}
		}
		slices.Sort(want)
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", path, diff)
		}
		count, compared = count+len(got), compared+1
	}
	for path := range maps.Keys(objects) {
		if !slices.Contains(paths, path) && utf8.ValidString(path) {
			t.Errorf("%s was not compared", path)
		}
	}
	return count, compared
}
