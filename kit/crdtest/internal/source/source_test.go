package source_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/kit/crdtest/internal/source"
	"github.com/crdsem/crdsem/kit/manifest"
)

// fields returns the fields of a document, and the error that is recorded.
func fields(t *testing.T, text string) (*source.Fields, *error) {
	t.Helper()
	for doc, err := range manifest.Read("f.yaml", strings.NewReader(text)) {
		if err != nil {
			t.Fatal(err)
		}
		object, _, err := doc.Object()
		if err != nil {
			t.Fatal(err)
		}
		found := new(error)
		return source.NewFields(manifest.Object{Document: doc, Content: object}, found), found
	}
	t.Fatal("no document")
	return nil, nil
}

// The first error is recorded with its place; later reads return zero values.
func TestFields(t *testing.T) {
	text := func(f *source.Fields) any { return f.Text("a") }
	texts := func(f *source.Fields) any { return f.Texts("a") }
	object := func(f *source.Fields) any { return f.Object("a") }
	list := func(f *source.Fields) any { return len(f.List("a")) }
	inner := func(f *source.Fields) any {
		i := f.Inner("a")
		if i == nil {
			return "absent"
		}
		return fmt.Sprint(i.Path(), " ", i.Line(), " ", i.Text("b"))
	}
	for _, c := range []struct {
		yaml       string
		read       func(*source.Fields) any
		want, fail string
	}{
		{"a: b", text, "b", ""},
		{"b: b", text, "", ""},
		{"a: 1", text, "", "1:4: a: want a string, found integer: write it in quotes"},
		{"a: true", text, "", "1:4: a: want a string, found boolean: write it in quotes"},
		{"a: [b]", text, "", "1:4: a: want a string, found array"},
		{"a: b", texts, "[b]", ""},
		{"a: [b, c]", texts, "[b c]", ""},
		{"b: b", texts, "[]", ""},
		{"a: [b, 1]", texts, "[b ]", "1:4: a: want a list of strings, found array"},
		{"a: {b: c}", texts, "[]", "1:4: a: want a string or a list of strings, found object"},
		{"a: {b: c}", object, "map[b:c]", ""},
		{"b: {}", object, "map[]", ""},
		{"a: []", object, "map[]", "1:4: a: want an object, found array"},
		{"a:\n  b: c", inner, "a 1 c", ""},
		{"b: c", inner, "absent", ""},
		{"a:\n  b: 1", inner, "a 1 ", "2:6: a.b: want a string, found integer: write it in quotes"},
		{"a: [{b: c}, {}]", list, "2", ""},
		{"b: []", list, "0", ""},
		{"a: b", list, "0", "1:4: a: want a list, found string"},
		{"a: [{}, b]", list, "0", "1:9: a[1]: want an object, found string"},
		{"a: b\nc: d", func(f *source.Fields) any { f.Text("a"); f.Done(); return "" }, "",
			"2:1: c: unknown field"},
		{"a: b", func(f *source.Fields) any { f.Text("a"); f.Done(); return "" }, "", ""},
		{"a: |\n  b: c", func(f *source.Fields) any { return f.Manifest("a") }, "map[b:c]", ""},
		{"a: '['", func(f *source.Fields) any { return len(f.Manifest("a")) }, "0",
			"1:1: a: yaml: line 1: did not find expected node content"},
		{"a: 1\nb: 2", func(f *source.Fields) any { return f.Text("a") + f.Text("b") }, "",
			"1:4: a: want a string, found integer: write it in quotes"},
	} {
		f, err := fields(t, c.yaml+"\n")
		got, fail := fmt.Sprint(c.read(f)), ""
		if placed, ok := errors.AsType[*manifest.Error](*err); ok {
			at := placed.Position
			fail = fmt.Sprintf("%d:%d: %v", at.Line, at.Column, placed.Err)
		}
		if got != c.want || fail != c.fail {
			t.Errorf("%q: %s, %s", c.yaml, got, fail)
		}
	}
}

func TestReadFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(file, []byte("text"), 0o644); err != nil {
		t.Fatal(err)
	}
	if text, err := source.ReadFile(file); string(text) != "text" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
	if err := os.Truncate(file, 64<<20); err != nil {
		t.Fatal(err)
	}
	if text, err := source.ReadFile(file); len(text) != 64<<20 || err != nil {
		t.Errorf("%d bytes, %v", len(text), err)
	}
	if err := os.Truncate(file, 64<<20+1); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{
		file: ": longer than 64 MiB", filepath.Dir(file): ": not a regular file"} {
		text, err := source.ReadFile(file)
		if err == nil || err.Error() != file+want || text != nil {
			t.Errorf("%s: %q, %v", file, text, err)
		}
	}
	_, err := source.ReadFile(file + "x")
	if at, ok := errors.AsType[*fs.PathError](err); !ok || !errors.Is(err, fs.ErrNotExist) ||
		at.Op == "open" {
		t.Errorf("%sx: %v", file, err)
	}
	// A regular file of Linux whose first byte cannot be read.
	const unreadable = "/proc/self/mem"
	if _, err := os.Stat(unreadable); err == nil {
		if text, err := source.ReadFile(unreadable); err == nil {
			t.Errorf("%s: %d bytes", unreadable, len(text))
		}
	}
}

func TestAll(t *testing.T) {
	failed := errors.New("failed")
	for _, errs := range [][]error{{nil, nil}, {nil, failed, nil}} {
		all, err := source.All(func(yield func(manifest.Object, error) bool) {
			for _, err := range errs {
				if !yield(manifest.Object{}, err) {
					return
				}
			}
		})
		fails := slices.Contains(errs, failed)
		if errors.Is(err, failed) != fails || !fails && len(all) != 2 || fails && all != nil {
			t.Errorf("%v: %d objects, %v", errs, len(all), err)
		}
	}
}
