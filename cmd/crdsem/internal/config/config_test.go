package config_test

import (
	"os"
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
