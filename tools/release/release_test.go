package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/mod/modfile"
)

func TestNext(t *testing.T) {
	gone, added := []string{"func A()"}, []string{"func B()"}
	for _, tc := range []struct {
		line, last, version string
		gone, added         []string
		want                string
	}{
		{line: "the first", version: "v0.1.0"},
		{line: "no version", version: "0.1.0", want: "not a version"},
		{line: "a short version", version: "v0.1", want: "not a version"},
		{line: "the same", last: "v0.1.0", version: "v0.1.0", want: "not after"},
		{line: "older", last: "v0.2.0", version: "v0.1.9", want: "not after"},
		{line: "a patch", last: "v0.1.0", version: "v0.1.1"},
		{line: "a patch with a new name", last: "v0.1.0", version: "v0.1.1", added: added,
			want: "func B()"},
		{line: "a patch without a name", last: "v1.1.0", version: "v1.1.1", gone: gone,
			want: "func A()"},
		{line: "a minor of 0 without a name", last: "v0.1.0", version: "v0.2.0", gone: gone},
		{line: "a minor of 1 with a new name", last: "v1.1.0", version: "v1.2.0", added: added},
		{line: "a minor of 1 without a name", last: "v1.1.0", version: "v1.2.0", gone: gone,
			want: "new major version"},
		{line: "a major", last: "v1.1.0", version: "v2.0.0", gone: gone},
	} {
		err := next(tc.last, tc.version, tc.gone, tc.added)
		if fails := tc.want != ""; (err != nil) != fails ||
			fails && !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v, want %q", tc.line, err, tc.want)
		}
	}
}

func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git",
		append([]string{"-c", "user.name=x", "-c", "user.email=x"}, args...)...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %q: %v\n%s", args, err, out)
	}
	return string(out)
}

func writeFile(t *testing.T, dir, name, text string) {
	t.Helper()
	name = filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// What must not be released leaves the clone as it was, without a tag.
func TestMakeRefuses(t *testing.T) {
	const names = "tools/api/crdsem.txt"
	state := func(dir string) string {
		return git(t, dir, "rev-parse", "HEAD") + git(t, dir, "status", "--porcelain") +
			git(t, dir, "tag")
	}
	for _, tc := range []struct {
		name, version, test string
		change              [2]string // a file and its text
		isCommitted         bool
		want                string
	}{
		{name: "dirty tree", version: "v0.2.0", test: "true",
			change: [2]string{"a.txt", "x"}, want: "the tree has changes"},
		{name: "changed file", version: "v0.2.0", test: "true",
			change: [2]string{names, "func A()\nfunc B()\n"}, want: "the tree has changes"},
		{name: "failing test", version: "v0.2.0", test: "echo FAIL TestX; exit 1",
			want: "FAIL TestX"},
		{name: "removed name", version: "v0.1.1", test: "true", isCommitted: true,
			change: [2]string{names, ""}, want: "func A()"},
		{name: "new name", version: "v0.1.1", test: "true", isCommitted: true,
			change: [2]string{names, "func A()\nfunc B()\n"}, want: "func B()"},
		{name: "released version", version: "v0.1.0", test: "true", want: "not after"},
		{name: "no changelog", version: "v0.1.1", test: "true", want: "CHANGELOG.md"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := t.TempDir()
			writeFile(t, dir, names, "func A()\n")
			git(t, dir, "init", "--quiet")
			git(t, dir, "add", ".")
			git(t, dir, "commit", "--quiet", "-m", "x")
			git(t, dir, "tag", "v0.1.0")
			if tc.change[0] != "" {
				writeFile(t, dir, tc.change[0], tc.change[1])
			}
			if tc.isCommitted {
				git(t, dir, "commit", "--quiet", "-am", "y")
			}
			before := state(dir)
			release := &Release{Dir: dir, Version: tc.version, Test: tc.test, Proxy: Proxy(dir)}
			err := release.Make(t.Context())
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("%v, want %q", err, tc.want)
			}
			if after := state(dir); after != before {
				t.Errorf("the clone was %q, is %q", before, after)
			}
		})
	}
}

func TestDifference(t *testing.T) {
	gone, added := difference("a\nb\n", "b\nc\n")
	if !slices.Equal(gone, []string{"a"}) || !slices.Equal(added, []string{"c"}) {
		t.Errorf("gone %q, added %q", gone, added)
	}
}

func TestChangelog(t *testing.T) {
	day := time.Date(2027, 1, 2, 0, 0, 0, 0, time.UTC)
	text, err := setHeading("# Changelog\n\n## Unreleased\n\n- new\n", "v0.1.0", day)
	if want := "# Changelog\n\n## 0.1.0 - 2027-01-02\n\n- new\n"; err != nil || text != want {
		t.Fatalf("%q, %v, want %q", text, err, want)
	}
	want := "# Changelog\n\n## Unreleased\n\n## 0.1.0 -"
	if got := openHeading(text); !strings.HasPrefix(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	for _, bad := range []string{"# Changelog\n", "## Unreleased\n\n## 0.0.1\n\n- old\n"} {
		if got, err := setHeading(bad, "v0.1.0", day); err == nil {
			t.Errorf("%q becomes %q, want an error", bad, got)
		}
	}
}

func TestSetRequirements(t *testing.T) {
	const before, after = "module m\n\nrequire (\n\t" + root + " v", "\n\texample.com/a v1.0.0\n)\n"
	got, err := setRequirements(before+"0.0.0"+after, "v0.1.0")
	if want := before + "0.1.0" + after; got != want {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
}

func TestSetPackage(t *testing.T) {
	for _, name := range packages {
		text, err := os.ReadFile(filepath.Join("..", "..", name))
		if err != nil {
			t.Fatal(err)
		}
		got, err := setPackage("v0.1.0")(string(text))
		if err != nil || !strings.Contains(got, `"version": "0.1.0",`) {
			t.Errorf("%s: %v\n%s", name, err, got)
		}
		if _, err := setPackage("v0.1.1")(got); err == nil {
			t.Errorf("%s: a version that is set is set again", name)
		}
	}
}

// Every module of the repository is released or is for work on it. A module is
// released after those that it requires, and without a replace.
func TestModules(t *testing.T) {
	var found []string
	err := filepath.WalkDir("../..", func(name string, d os.DirEntry, err error) error {
		if d.IsDir() && slices.Contains([]string{"node_modules", "minors", "testdata"}, d.Name()) {
			return filepath.SkipDir
		}
		if err == nil && d.Name() == "go.mod" {
			folder, _ := filepath.Rel("../..", filepath.Dir(name))
			if folder == "." {
				folder = ""
			}
			found = append(found, filepath.ToSlash(folder))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	want := slices.Sorted(slices.Values(slices.Concat(released, internal)))
	if slices.Sort(found); !slices.Equal(found, want) {
		t.Errorf("modules are %q, want %q", found, want)
	}
	for i, folder := range released {
		text, err := os.ReadFile(filepath.Join("../..", folder, "go.mod"))
		if err != nil {
			t.Fatal(err)
		}
		file, err := modfile.Parse("go.mod", text, nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(file.Replace) > 0 {
			t.Errorf("%s: has a replace", versionOf(folder, ""))
		}
		for _, required := range file.Require {
			for _, later := range released[i:] {
				if required.Mod.Path == versionOf(later, "").Path {
					t.Errorf("%s requires %s, which is released later", folder, required.Mod.Path)
				}
			}
		}
	}
}
