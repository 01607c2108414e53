package corpus_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/internal/test/corpus"
)

// write writes files below a new folder, makes their folders, and returns the
// new folder.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for path, text := range files {
		path = filepath.Join(root, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

const definition = `
spec:
  group: g.io
  names: {kind: K}
  versions:
  - {name: v1, schema: {openAPIV3Schema: {type: object}}}
  - {name: v2}
`

// small makes a corpus and lets the tests find it.
func small(t *testing.T) string {
	t.Helper()
	root := write(t, map[string]string{
		"p/crds/ks.yaml": definition, "q/crds/ks--old.yaml": definition, "q/crds/notes.txt": "none",
		"p/objects/k-1.yaml": "a: 1", "p/objects/k-2.yaml": "a: 2", "q/objects/k-3.yaml": "a: 3",
		"p/suite/valid/one.yaml": "b: 1",
		"p/UPSTREAM.tsv":         "file\tcrd\tversion\tverdict\ncrds/ks.yaml\t\t\taccepted\nobjects/k-1.yaml\tcrds/ks.yaml\tv1\tvalid\t0\nobjects/k-2.yaml\t\tv3\tno-such-version\n",
		"q/UPSTREAM.tsv":         "objects/k-3.yaml\tcrds/ks--old.yaml\tv1\tinvalid\t1\twrong\n",
	})
	t.Setenv("CRDSEM_CORPUS", root)
	return root
}

func TestReading(t *testing.T) {
	root := small(t)
	var got []string
	tell := func(format string, args ...any) {
		got = append(got,
			strings.ReplaceAll(fmt.Sprintf(format, args...), root+string(filepath.Separator), ""))
	}
	for _, f := range corpus.Definitions(t) {
		tell("definition %s, %s, %d", f.Path, f.Name(), len(f.Text))
	}
	for _, o := range corpus.Objects(t) {
		tell("object %s %s of %q %q: %t", o.Path, o.Text, o.Definition, o.Version, o.Valid)
	}
	for _, s := range corpus.Schemas(t) {
		tell("schema %v of %s: %s %s %s %s", s, s.Definition, s.Group, s.Version, s.Kind, s.Text)
	}
	for _, f := range slices.Concat(corpus.Manifests(t, "p", "suite"), corpus.Manifests(t, "q")) {
		tell("manifest %s", f.Path)
	}
	want := []string{
		fmt.Sprintf("definition p/crds/ks.yaml, ks.yaml, %d", len(definition)), fmt.Sprintf("definition q/crds/ks--old.yaml, ks--old.yaml, %d", len(definition)),
		`object p/objects/k-1.yaml a: 1 of "p/crds/ks.yaml" "v1": true`, `object p/objects/k-2.yaml a: 2 of "" "": false`,
		`object q/objects/k-3.yaml a: 3 of "q/crds/ks--old.yaml" "v1": false`,
		`schema ks.yaml v1 of p/crds/ks.yaml: g.io v1 K {"type":"object"}`, `schema ks--old.yaml v1 of q/crds/ks--old.yaml: g.io v1 K {"type":"object"}`,
		"manifest p/suite/valid/one.yaml", "manifest q/crds/ks--old.yaml", "manifest q/objects/k-3.yaml",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if all := corpus.Manifests(t); len(all) != 6 {
		t.Errorf("%d manifests", len(all))
	}
}

// The corpus is where the variable says, and nowhere else.
func TestPath(t *testing.T) {
	for _, want := range []string{"", "elsewhere"} {
		t.Setenv("CRDSEM_CORPUS", want)
		if got := corpus.Path(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// outcome is a test that records how it ended.
type outcome struct{ skipped, failed string }

func (o *outcome) Helper() {}

func (o *outcome) Skipf(format string, args ...any) {
	o.skipped = fmt.Sprintf(format, args...)
	runtime.Goexit()
}

func (o *outcome) Fatalf(format string, args ...any) {
	o.failed = fmt.Sprintf(format, args...)
	runtime.Goexit()
}

// Every function skips the test if there is no corpus, and fails it if the
// corpus is malformed.
func TestWithoutCorpus(t *testing.T) {
	empty := t.TempDir()
	ways := map[string]func(corpus.TB){
		"Folder":      func(t corpus.TB) { corpus.Folder(t) },
		"Definitions": func(t corpus.TB) { corpus.Definitions(t) },
		"Objects":     func(t corpus.TB) { corpus.Objects(t) },
		"Schemas":     func(t corpus.TB) { corpus.Schemas(t) },
		"Manifests":   func(t corpus.TB) { corpus.Manifests(t, "p") },
	}
	for name, way := range ways {
		t.Setenv("CRDSEM_CORPUS", filepath.Join(empty, "missing"))
		if got := run(way); !strings.Contains(got.skipped,
			filepath.Join(empty, "missing")+": let CRDSEM_CORPUS name") {
			t.Errorf("%s: %+v", name, got)
		}
		t.Setenv("CRDSEM_CORPUS", empty)
		if got := run(way); got.skipped != "" || (got.failed == "") != (name == "Folder") {
			t.Errorf("%s of an empty folder: %+v", name, got)
		}
	}
	t.Setenv(
		"CRDSEM_CORPUS",
		write(
			t,
			map[string]string{
				"p/UPSTREAM.tsv": "objects/k.yaml\tcrds/k.yaml\n",
				"p/crds/k.yaml":  "- :\n-",
			},
		),
	)
	for _, name := range []string{"Objects", "Schemas"} {
		if got := run(ways[name]); got.failed == "" {
			t.Errorf("%s of a wrong corpus: %+v", name, got)
		}
	}
}

// run runs a test to its end.
func run(test func(corpus.TB)) *outcome {
	o := new(outcome)
	var group sync.WaitGroup
	group.Go(func() { test(o) })
	group.Wait()
	return o
}
