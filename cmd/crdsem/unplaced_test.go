package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What cannot be read or has no place is named on the standard error, and the
// rest is shown.
func TestRestIsShown(t *testing.T) {
	dir := t.TempDir()
	crd := readFiles(t, "../../examples/crontab/crd.yaml")
	for _, folder := range []string{"objects", "definitions", "twice"} {
		if err := os.Mkdir(filepath.Join(dir, folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write(t, filepath.Join(dir, "definitions", "crd.yaml"), crd)
	write(t, filepath.Join(dir, "definitions", "bad.yaml"), "kind: [")
	object := func(version, name string) string {
		return "apiVersion: stable.example.com/" + version + "\nkind: CronTab\nmetadata: {name: " +
			name + ", namespace: default}\nspec: {cronSpec: a}\n---\n"
	}
	other := "apiVersion: example.com/v1\nkind: Other\nmetadata: {name: three}\n---\n"
	write(t, filepath.Join(dir, "objects", "all.yaml"),
		object("v1", "one")+object("v9", "two")+other+object("v1", "four"))
	write(t, filepath.Join(dir, "objects", "bad.yaml"), "kind: [")
	write(t, filepath.Join(dir, "one.yaml"), object("v1", "one"))
	write(t, filepath.Join(dir, "others.yaml"), object("v1", "one")+other+
		"apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d}\n")
	write(t, filepath.Join(dir, "twice", "a.yaml"), crd)
	write(t, filepath.Join(dir, "twice", "b.yaml"), crd)
	t.Chdir(dir)
	for _, c := range []struct {
		args        []string
		code        int
		shown, told []string
	}{
		{[]string{"get", "--crd", "definitions/crd.yaml", "objects"}, exitFailed,
			[]string{"one", "four"}, []string{"bad.yaml", "v9", "Other"}},
		{[]string{"convert", "--crd", "definitions/crd.yaml", "--to", "v1", "objects"}, exitFailed,
			[]string{"name: one", "name: four"}, []string{"bad.yaml", "v9", "Other"}},
		{[]string{"diff", "--crd", "definitions/crd.yaml", "objects/all.yaml", "objects"}, exitFailed,
			nil, []string{"bad.yaml", "v9"}},
		{[]string{"api", "definitions"}, exitFailed, []string{"crontabs"}, []string{"bad.yaml"}},
		{[]string{"get", "--crd", "definitions", "one.yaml"}, exitFailed, []string{"one"},
			[]string{"bad.yaml"}},
		{[]string{"diff", "--crd", "definitions", "one.yaml", "one.yaml"}, exitFailed, nil,
			[]string{"bad.yaml"}},
		{[]string{"schema", "definitions"}, exitFailed, nil, []string{"bad.yaml"}},
		{[]string{"get", "--crd", "twice", "one.yaml"}, exitOK, []string{"one"},
			[]string{"is defined twice"}},
		{[]string{"api", "twice"}, exitOK, []string{"crontabs"}, []string{"is defined twice"}},
		{[]string{"get", "--crd", "twice", "others.yaml"}, exitFailed, []string{"one"},
			[]string{"Other", "apps/v1 Deployment is built into Kubernetes"}},
		{[]string{"convert", "--to", "v1", "--crd", "twice", "others.yaml"}, exitFailed,
			[]string{"name: one"}, []string{"Other", "Deployment"}},
		{[]string{"diff", "--crd", "twice", "others.yaml", "others.yaml"}, exitFailed, nil,
			[]string{"Other", "Deployment"}},
	} {
		code, out, errs := execute(t, "", c.args...)
		if code != c.code {
			t.Errorf("%s: exit code %d", c.args[0], code)
		}
		for _, want := range c.shown {
			if !strings.Contains(out, want) {
				t.Errorf("%s shows no %q:\n%s", c.args[0], want, out)
			}
		}
		for _, want := range c.told {
			if !strings.Contains(errs, want) {
				t.Errorf("%s does not name %q:\n%s", c.args[0], want, errs)
			}
		}
	}
}
