package config_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/cmd/crdsem/internal/config"
)

// write writes a file below a folder, and returns its path.
func write(t *testing.T, folder, name, text string) string {
	t.Helper()
	path := filepath.Join(folder, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// The nearest configuration up to the root of the repository counts.
func TestFound(t *testing.T) {
	top := t.TempDir()
	write(t, top, config.Name, "lint: {failOn: style}")
	write(t, top, "repository/.git/HEAD", "")
	write(t, top, "repository/a/"+config.Name, "lint: {failOn: error}")
	write(t, top, "repository/a/b/c.yaml", "")
	write(t, top, "repository/d/e.yaml", "")
	write(t, top, "other/e.yaml", "")
	for _, c := range []struct{ inputs, failOn string }{
		{"repository/a/b/c.yaml", "error"},
		{"repository/a/b", "error"},
		{"repository/a/*.yaml", "error"},
		{"repository/d/e.yaml", ""},
		{"repository/d repository/a", "error"},
		{"other/e.yaml", ""},
		{".", "style"},
		{"none", "style"},
	} {
		var inputs []string
		for _, input := range strings.Fields(c.inputs) {
			inputs = append(inputs, filepath.Join(top, input))
		}
		got, err := config.Read("", inputs)
		if err != nil || got.Lint.FailOn != c.failOn {
			t.Errorf("%s: %+v, %v", c.inputs, got, err)
		}
	}
	both := []string{filepath.Join(top, "repository/a"), top}
	if _, err := config.Read("", both); err == nil || !strings.Contains(err.Error(), "--config") {
		t.Errorf("two configurations: %v", err)
	}
}

func TestRead(t *testing.T) {
	folder := t.TempDir()
	for _, c := range []struct {
		name, text string
		want       config.Lint
		err        string
	}{
		{name: "nothing"},
		{
			name: "all", text: "lint:\n  disable: [all]\n  enable: [a]\n  severity: {a: style}\n  failOn: warning\n",
			want: config.Lint{
				Disable: []string{"all"}, Enable: []string{"a"},
				Severity: map[string]string{"a": "style"}, FailOn: "warning",
			},
		},
		{name: "unknown", text: "lint:\n  disabled: [a]\n", err: `:2: unknown key "disabled"; did you mean "disable"?`},
		{name: "nothing near", text: "x-values: {}\n", err: `:1: unknown key "x-values"`},
		{name: "unknown section", text: "lnt: {}\n", err: `:1: unknown key "lnt"; did you mean "lint"?`},
		{name: "type", text: "lint:\n  disable: {}\n", err: `: line 2: cannot unmarshal`},
		{name: "text", text: "lint: [\n", err: `yaml: line`},
	} {
		path := write(t, folder, c.name, c.text)
		got, err := config.Read(path, nil)
		if c.err != "" {
			if err == nil || !strings.HasPrefix(err.Error(), path) ||
				!strings.Contains(err.Error(), c.err) {
				t.Errorf("%s: error %v", c.name, err)
			}
		} else if err != nil || !reflect.DeepEqual(got.Lint, c.want) {
			t.Errorf("%s: %+v, %v", c.name, got, err)
		}
	}
	if _, err := config.Read(filepath.Join(folder, "missing"), nil); err == nil {
		t.Error("a missing file is no error")
	}
}

// Files are left out as git leaves them out, with a .gitignore in several
// folders: git is asked, too.
func TestLikeGit(t *testing.T) {
	if err := exec.Command("git", "--version").Run(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		line    string
		ignores map[string]string // by folder
		want    map[string]bool   // by file
	}{
		{"one that lists what is kept", map[string]string{"": "*\n!/apps\n", "apps": "!*/\n!*.yaml\n_*\n"},
			map[string]bool{"apps/a.yaml": false, "apps/b/c.yaml": false, "apps/b/c.txt": true,
				"apps/_a.yaml": true, "apps/_b/c.yaml": true, "b.yaml": true, "other/a.yaml": true}},
		{"a folder that is left out", map[string]string{"": "/out/\n", "out": "!a.yaml\n"},
			map[string]bool{"out/a.yaml": true, "in/out/a.yaml": false}},
		{"one that takes back", map[string]string{"": "*.tmp\n", "a": "!keep.tmp\n", "a/b": "keep.tmp\n"},
			map[string]bool{"x.tmp": true, "a/x.tmp": true, "a/keep.tmp": false, "a/b/keep.tmp": true,
				"a/c/keep.tmp": false}},
		{"a path of the folder", map[string]string{"a": "/b/x.yaml\n"},
			map[string]bool{"a/b/x.yaml": true, "b/x.yaml": false, "a/c/b/x.yaml": false}},
	} {
		top := t.TempDir()
		if out, err := exec.Command("git", "init", "-q", top).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		for folder, text := range c.ignores {
			write(t, top, filepath.Join(folder, ".gitignore"), text)
		}
		file, err := config.Read("", []string{top})
		if err != nil {
			t.Fatal(err)
		}
		for name, want := range c.want {
			path := write(t, top, name, "")
			git := exec.Command("git", "-C", top, "check-ignore", "-q", path).Run() == nil
			if got, err := file.GitIgnores(path); got != want || git != want || err != nil {
				t.Errorf("%s: %s is left out: %v, git: %v (%v)", c.line, name, got, git, err)
			}
		}
	}
}
