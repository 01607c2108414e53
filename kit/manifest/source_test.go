package manifest_test

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/kit/manifest"
)

// write writes empty files below a new folder, and changes to it.
func write(t *testing.T, names ...string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for _, name := range names {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte("a: 1\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func names(list []*manifest.Source) []string {
	var out []string
	for _, in := range list {
		name := filepath.ToSlash(in.Name)
		if in.Err != nil {
			name = "error " + name
		}
		out = append(out, name)
	}
	return out
}

func TestFindSources(t *testing.T) {
	write(t, "d/b.yaml", "d/a.yml", "d/c/x.json", "d/c/x.txt", "d/.git/y.yaml", "d/.h.yaml",
		"e.yaml", "f.yaml", "g.txt", "h/A.YAML", "h/c.yaml/.x/y.yaml", "h/c.yaml/z.yaml")
	for _, c := range []struct{ args, want []string }{
		{[]string{"d"}, []string{"d/.h.yaml", "d/a.yml", "d/b.yaml", "d/c/x.json"}},
		{[]string{"./d/", "d/b.yaml"}, []string{"d/.h.yaml", "d/a.yml", "d/b.yaml", "d/c/x.json"}},
		{[]string{"d/.git"}, []string{"d/.git/y.yaml"}},
		{[]string{"*.yaml", "g.txt", "-", "e.yaml", "-"}, []string{"e.yaml", "f.yaml", "g.txt", "stdin"}},
		{[]string{"d", "d"}, []string{"d/.h.yaml", "d/a.yml", "d/b.yaml", "d/c/x.json"}},
		{[]string{"d/*.yaml", "d"}, []string{"d/.h.yaml", "d/b.yaml", "d/a.yml", "d/c/x.json"}},
		{[]string{"d/c/x.json", "./d/c", "."}, []string{"d/c/x.json", "d/.h.yaml", "d/a.yml", "d/b.yaml", "e.yaml",
			"f.yaml", "h/A.YAML", "h/c.yaml/z.yaml"}},
		{[]string{"h", "h"}, []string{"h/A.YAML", "h/c.yaml/z.yaml"}},
		{[]string{"[ef].yaml", "{e}.yaml"}, []string{"e.yaml", "f.yaml", "error {e}.yaml"}},
		{[]string{"no", "n?"}, []string{"error no", "error n?"}},
	} {
		got := names(manifest.Find(c.args, strings.NewReader("")))
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%v: %s", c.args, diff)
		}
	}
}

// What is wrong with a path is said: a folder without manifests, a link to
// nothing. A folder that is named like a manifest is a folder.
func TestFindFaults(t *testing.T) {
	write(t, "d/c.yaml/a.txt", "e/f.yaml")
	if err := os.Symlink("nothing", filepath.Join("e", "g.yaml")); err != nil {
		t.Skip(err) // a system without links
	}
	var got []string
	for _, in := range manifest.Find([]string{"d", "e", "x[", "e/f.yaml/*", "-"}, nil) {
		got = append(got, fmt.Sprintf("%s: %v, %v", filepath.ToSlash(in.Name), in.Err, in.InFolder))
	}
	want := []string{
		"d: d: the folder has no file that ends in .yaml, .yml, .json, false",
		"e/f.yaml: <nil>, true",
		"e/g.yaml: e/g.yaml: no such file or directory, false",
		"x[: x[: syntax error in pattern, false",
		"e/f.yaml/*: e/f.yaml/*: not a directory, false",
		"-: -: no such file or directory, false",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	gone := manifest.Find([]string{"e/f.yaml"}, nil)[0]
	if err := os.Remove(gone.Name); err != nil {
		t.Fatal(err)
	}
	for doc, err := range gone.Objects() {
		if err == nil || filepath.ToSlash(err.Error()) != "e/f.yaml: no such file or directory" {
			t.Errorf("%v, %v", doc, err)
		}
	}
}

// A file has one path, however its name is written.
func TestAbsolutePath(t *testing.T) {
	write(t, "e.yaml")
	path, err := filepath.Abs("e.yaml")
	if err != nil {
		t.Fatal(err)
	}
	list := manifest.Find([]string{"./e.yaml", path}, nil)
	if diff := cmp.Diff([]string{"./e.yaml"}, names(list)); diff != "" || list[0].Path() != path {
		t.Errorf("%s: %s", list[0].Path(), diff)
	}
}

// counted returns the number of documents of an input.
func counted(t *testing.T, in *manifest.Source) int {
	t.Helper()
	n := 0
	for _, err := range in.Documents() {
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
	return n
}

// A stream can be read again, also one that is not kept in memory.
func TestStreamIsReadTwice(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	for _, size := range []int{0, 40 << 20} {
		comment := strings.NewReader("# " + strings.Repeat("x", size) + "\n")
		stream := io.MultiReader(
			strings.NewReader("a: 1\n---\n"), comment, strings.NewReader("b: 1\n"))
		in := manifest.Find([]string{"-"}, stream)[0]
		if first, second := counted(t, in), counted(t, in); first != 2 || second != 2 {
			t.Errorf("%d documents, then %d", first, second)
		}
		if err := in.Close(); err != nil {
			t.Error(err)
		}
	}
	if left, err := os.ReadDir(os.TempDir()); err != nil || len(left) > 0 {
		t.Errorf("files are left: %v, %v", left, err)
	}
}

// A stream is kept in memory up to 32 MiB. A longer one needs a file.
func TestStreamInMemory(t *testing.T) {
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "missing"))
	const most = 32 << 20
	for _, c := range []struct {
		sizes []int // of what is written at once
		fits  bool
	}{
		{[]int{most}, true}, {[]int{most + 1}, false}, {[]int{most - 9, 9}, true},
		{[]int{most - 9, 10}, false}, {[]int{most - 9, most}, false},
	} {
		var parts []io.Reader
		for _, size := range c.sizes {
			parts = append(parts, strings.NewReader(strings.Repeat("#", size)))
		}
		in := manifest.Find([]string{"-"}, io.MultiReader(parts...))[0]
		fits := true
		for _, err := range in.Documents() {
			fits = fits && err == nil
		}
		if fits != c.fits {
			t.Errorf("%v bytes: fits %v", c.sizes, fits)
		}
	}
}

// A stream that breaks off says so each time.
func TestStreamBreaks(t *testing.T) {
	in := manifest.Find([]string{"-"}, io.MultiReader(strings.NewReader("a: 1\n"), broken{}))[0]
	for range 2 {
		var got []string
		for _, err := range in.Documents() {
			got = append(got, err.Error())
		}
		if !slices.Equal(got, []string{"stdin: unexpected EOF"}) {
			t.Errorf("%q", got)
		}
	}
}

// An error of a stream has its name once, and a caller may stop.
func TestStreamBreaksWithinObjects(t *testing.T) {
	text := func() io.Reader {
		return io.MultiReader(strings.NewReader("a: 1\n---\nb: 1\n"), broken{})
	}
	for most := 1; most <= 4; most++ {
		var got []string
		for doc, err := range manifest.Stream("s", text()).Objects() {
			if got = append(got, fmt.Sprint(doc != nil, " ", err)); len(got) == most {
				break
			}
		}
		want := []string{"true <nil>", "true <nil>", "false s: unexpected EOF"}
		if diff := cmp.Diff(want[:min(most, 3)], got); diff != "" {
			t.Error(diff)
		}
	}
}

// A stream may break off behind what is kept in memory.
func TestLongStreamBreaks(t *testing.T) {
	text := strings.NewReader(strings.Repeat("#", 33<<20))
	for doc, err := range manifest.Stream("s", io.MultiReader(text, broken{})).Documents() {
		if doc != nil || err == nil || err.Error() != "s: unexpected EOF" {
			t.Errorf("%v, %v", doc, err)
		}
	}
}

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// Objects opens lists of files and of streams. A stream is read once, or again
// if its documents were read before.
func TestObjectsOfSource(t *testing.T) {
	const list = "apiVersion: v1\nkind: List\nitems: [{kind: C}, {kind: D}]\n"
	write(t, "list.yaml")
	if err := os.WriteFile("list.yaml", []byte(list), 0o600); err != nil {
		t.Fatal(err)
	}
	count := func(in *manifest.Source) (n int) {
		for _, err := range in.Objects() {
			if err != nil {
				t.Fatal(err)
			}
			n++
		}
		return n
	}
	for _, c := range []struct {
		path          string
		first         bool // whether documents are read before
		once, again   int
		isStreamAfter bool
	}{
		{"list.yaml", false, 2, 2, false}, {"list.yaml", true, 2, 2, false},
		{"-", false, 2, 0, true}, {"-", true, 2, 2, true},
	} {
		in := manifest.Find([]string{c.path}, strings.NewReader(list))[0]
		if c.path == "-" && in.Path() != manifest.Stdin {
			t.Errorf("the path of the standard input is %q", in.Path())
		}
		if c.first && counted(t, in) != 1 {
			t.Errorf("%s: not one document", c.path)
		}
		if once, again := count(in), count(in); once != c.once || again != c.again ||
			in.IsStream() != c.isStreamAfter {
			t.Errorf("%s, %v: %d objects, then %d", c.path, c.first, once, again)
		}
	}
	for _, err := range manifest.Find([]string{"missing"}, nil)[0].Objects() {
		if err == nil || err.Error() != "missing: no such file or directory" {
			t.Errorf("got %v", err)
		}
	}
}
