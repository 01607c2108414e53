//go:build unix

package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// badRepository is a repository with one thing that is missing, unreadable,
// huge, cyclic or hostile. Its good object is judged all the same.
type badRepository struct {
	line  string
	files map[string]string // one whose text is "FIFO" is a pipe without a writer
	args  string            // instead of validate
	code  int
	want  []string
}

// goodObject is in the output if the good object is accepted.
const goodObject = "in/good.yaml:1:1: accepted: Widget w"

var badConfigurations = []badRepository{
	{line: "a list", files: map[string]string{".crdsem.yaml": "[1]"}, code: exitFailed,
		want: []string{".crdsem.yaml: line 1: cannot unmarshal"}},
	{line: "no YAML", files: map[string]string{".crdsem.yaml": "a: ["}, code: exitFailed,
		want: []string{".crdsem.yaml: yaml: line 1"}},
	{line: "binary", files: map[string]string{".crdsem.yaml": "\x00\x01"}, code: exitFailed,
		want: []string{".crdsem.yaml: yaml: control characters"}},
	{line: "two documents", files: map[string]string{".crdsem.yaml": "lint: {}\n---\nlint: {}\n"},
		code: exitFailed, want: []string{".crdsem.yaml: there is more than one document"}},
	{line: "a huge configuration", code: exitFailed,
		files: map[string]string{".crdsem.yaml": strings.Repeat("# comment\n", 500_000)},
		want:  []string{".crdsem.yaml: more than 4194304 bytes"}},
	{line: "a cycle of aliases", files: map[string]string{".crdsem.yaml": "skip: &a {kinds: [*a]}"},
		code: exitFailed, want: []string{".crdsem.yaml: "}},
	{line: "two that apply", files: map[string]string{
		"a/.crdsem.yaml": "lint: {}", "a/x.yaml": widget, ".crdsem.yaml": "lint: {}",
		".git/config": ""},
		args: "validate a in", code: exitFailed, want: []string{"both apply: choose one by --config"}},
	{line: "a folder", files: map[string]string{".crdsem.yaml/x": ""}, code: exitFailed,
		want: []string{".crdsem.yaml: expected a file, found a folder"}},
	{line: "one that is not there", args: "validate --config none in", code: exitFailed,
		want: []string{"open none: no such file"}},
	{line: "missing definitions", files: map[string]string{".crdsem.yaml": "validate: {crd: none}"},
		code: exitFailed, want: []string{"none: error: no such file", goodObject}},
}

var badSkips = []badRepository{
	{line: "a bad pattern", files: map[string]string{".crdsem.yaml": "skip: {paths: ['[']}"},
		code: exitFailed, want: []string{`.crdsem.yaml: "[" is no pattern of files`}},
	{line: "a bad pattern in .gitignore", files: map[string]string{
		".git/config": "", ".gitignore": "[\nx.yaml\n", "in/x.yaml": "a: ["},
		want: []string{goodObject}},
	{line: "a pipe as .gitignore", files: map[string]string{".git/config": "", ".gitignore": "FIFO"},
		want: []string{goodObject}},
	{line: "a pattern of an ignored finding", code: exitFailed,
		files: map[string]string{".crdsem.yaml": "ignore: [{path: '[', reason: r}]"},
		want:  []string{`ignore[0]: "[" is no pattern of files`}},
	{line: "many comments", code: exitRefused, files: map[string]string{
		"in/x.yaml": strings.Replace(widget, "spec:", strings.Repeat("# crdsem:ignore VAL-050\n", 9999)+
			"spec:", 1) + "x: 1\n"},
		want: []string{"in/x.yaml:4:1: warning: Widget w: there is no finding of VAL-050",
			"in/x.yaml:10004:1: error: Widget w: unknown field", goodObject}},
}

var badValues = []badRepository{
	{line: "values that multiply", files: map[string]string{
		".crdsem.yaml": "substitute: {A: " + strings.Repeat("x", 100_000) + "}",
		"in/x.yaml": strings.Replace(widget, "name: w", "name: v, annotations: {a: '"+
			strings.Repeat("${A}-", 20_000)+"'}", 1)},
		want: []string{"in/x.yaml:1:1: accepted", goodObject}},
	{line: "values of each other", files: map[string]string{
		".crdsem.yaml": "substitute: {A: '${B}', B: '${A}'}",
		"in/x.yaml":    strings.Replace(widget, "name: w", "name: 'x-${A}'", 1)},
		code: exitRefused, want: []string{"in/x.yaml:3:18: error: Widget x-${B}: ", goodObject}},
	{line: "an owner of what is elsewhere", files: map[string]string{
		"in/x.yaml": strings.Replace(widget, "name: w", "name: 'X-${A}'", 1),
		"ks.yaml": "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\n" +
			"metadata: {name: a}\nspec: {path: ../.., postBuild: {substitute: {A: b}}}\n"},
		args: "validate --verbose crd.yaml ks.yaml in", want: []string{"in/x.yaml:1:1: accepted", goodObject}},
	{line: "SOPS without a mac", files: map[string]string{"in/x.yaml": widget + "sops: {}\n"},
		code: exitRefused, want: []string{`in/x.yaml:5:1: error: Widget w: unknown field "sops"`, goodObject}},
	{line: "SOPS that is no object", files: map[string]string{"in/x.yaml": widget + "sops: [1]\n"},
		code: exitRefused, want: []string{`in/x.yaml:5:1: error: Widget w: unknown field "sops"`, goodObject}},
	{line: "SOPS that is cut", files: map[string]string{"in/x.yaml": widget + "sops: {mac: x\n"},
		code: exitRefused, want: []string{"in/x.yaml:6:1: error: yaml: ", goodObject}},
	{line: "an encrypted kind", files: map[string]string{
		"in/x.yaml": strings.Replace(widget, "Widget", "'ENC[AES256_GCM,data:x]'", 1) + "sops: {mac: x}\n"},
		want: []string{"in/x.yaml:1:1: not judged", goodObject}},
}

var badTemplates = []badRepository{
	{line: "a huge template", files: map[string]string{"in/x.yaml": strings.Repeat("{{ a }}: - ", 99_999)},
		want: []string{"in/x.yaml:1:1: not judged", "a template: render it first: 1", goodObject}},
	{line: "a template that never ends", files: map[string]string{"in/x.yaml": "a: {{"},
		want: []string{"a template: render it first: 1", goodObject}},
	{line: "braces in a broken text", files: map[string]string{"in/x.yaml": "a: '{{ x }}\nb: [\n"},
		code: exitRefused, want: []string{"in/x.yaml:3:1: error: yaml: ", goodObject}},
}

var badKustomizations = []badRepository{
	{line: "a cycle", files: map[string]string{"in/kustomization.yaml": "resources: [., ..]\npatches: " +
		"[{path: kustomization.yaml}, {path: ../in}]\n"},
		want: []string{"in/kustomization.yaml:1:16: warning: Kustomization: kustomize refuses ..: the folder has no", goodObject}},
	{line: "files elsewhere", files: map[string]string{"in/kustomization.yaml": "patches: " +
		"[{path: ../../../../etc/passwd}, {path: /etc/passwd}, {path: none}, {path: {}}]\n"},
		want: []string{"in/kustomization.yaml:1:71: warning: Kustomization: none does not exist", goodObject}},
	{line: "no YAML", files: map[string]string{"in/kustomization.yaml": "patches: [\n"},
		code: exitRefused, want: []string{"in/kustomization.yaml:2:1: error: yaml: ", goodObject}},
	{line: "a pipe", files: map[string]string{"in/kustomization.yaml": "FIFO"}, want: []string{goodObject}},
	{line: "a pipe to render", files: map[string]string{"over/kustomization.yaml": "FIFO"},
		args: "validate --verbose --kustomize over crd.yaml in", code: exitFailed,
		want: []string{"over/kustomization.yaml: error: the folder has no kustomization.yaml", goodObject}},
}

var badSchemas = []badRepository{
	{line: "a refused name", files: map[string]string{
		"x.yaml": strings.Replace(widgets, "group: example.com", "group: ../x", 1)},
		args: "schema --dir out x.yaml", code: exitFailed, want: []string{"x.yaml", "a server refuses"}},
	{line: "no schema", files: map[string]string{"x.yaml": foos}, args: "schema --dir out x.yaml",
		code: exitOK, want: []string{"out: 1 schema and all.json"}},
	{line: "a file for the folder", files: map[string]string{"out": "a"}, code: exitFailed,
		args: "schema --dir out crd.yaml", want: []string{"out: not a directory"}},
	{line: "one that cannot be read", files: map[string]string{"x.yaml": "a: ["}, code: exitFailed,
		args: "schema --dir out crd.yaml x.yaml", want: []string{"x.yaml:1:"}},
	{line: "one that is not there", args: "schema --dir out none.yaml", code: exitFailed,
		want: []string{"none.yaml: no such file"}},
}

var badSources = []badRepository{
	{line: "a folder that is not there", files: map[string]string{
		".crdsem.yaml": "definitions: {sources: [crd.yaml, none]}"},
		args: "vendor", code: exitFailed, want: []string{"none: no such file"}},
	{line: "a pipe", files: map[string]string{
		".crdsem.yaml": "definitions: {sources: [crd.yaml, pipe.yaml]}", "pipe.yaml": "FIFO"},
		args: "vendor", code: exitFailed, want: []string{"pipe.yaml is neither a file nor a folder"}},
	{line: "its own folder", files: map[string]string{
		".crdsem.yaml": "definitions: {folder: own, sources: [own]}", "own/crd.yaml": widgets},
		args: "vendor", code: exitFailed, want: []string{"was not written by crdsem vendor"}},
	{line: "no YAML", files: map[string]string{
		".crdsem.yaml": "definitions: {sources: [crd.yaml, x.yaml]}", "x.yaml": "a: ["},
		args: "vendor", code: exitFailed, want: []string{"x.yaml:1:"}},
	{line: "a name that is a path", files: map[string]string{
		".crdsem.yaml": "definitions: {sources: [x.yaml]}",
		"x.yaml":       strings.Replace(widgets, "widgets.example.com", "../../x", 1)},
		args: "vendor", code: exitFailed, want: []string{`"../../x" is no name of a definition`}},
	{line: "an address that is none", files: map[string]string{
		".crdsem.yaml": "definitions: {sources: ['https://']}"}, args: "vendor", code: exitFailed,
		want: []string{"has no address"}},
	{line: "a folder that is a file", files: map[string]string{
		".crdsem.yaml": "definitions: {folder: crd.yaml, sources: [crd.yaml]}"}, args: "vendor",
		code: exitFailed, want: []string{"crd.yaml: not a directory"}},
	{line: "a lock file that is a folder", files: map[string]string{
		".crdsem.yaml": "definitions: {sources: [crd.yaml]}", ".crdsem/crdsem.lock/x": ""},
		args: "vendor --check", code: exitRefused, want: []string{"crdsem.lock: is a directory"}},
	{line: "a lock file of another make", files: map[string]string{
		".crdsem.yaml": "definitions: {sources: [crd.yaml]}", ".crdsem/crdsem.lock": "sources: &a [*a]"},
		args: "vendor --check", code: exitRefused, want: []string{".crdsem/crdsem.lock: "}},
}

// What looks as if a cluster had printed it.
const fromCluster = "validate --verbose --from-cluster crd.yaml in"

var badClusters = []badRepository{
	{line: "metadata that is a list", files: map[string]string{
		"in/x.yaml": "apiVersion: example.com/v1\nkind: Widget\nmetadata: [1]\n"}, args: fromCluster,
		code: exitRefused, want: []string{"in/x.yaml:3:11: error: Widget: ", goodObject}},
	{line: "fields of the server with other types", files: map[string]string{"in/x.yaml": "apiVersion: " +
		"example.com/v1\nkind: Widget\nmetadata: {name: x, uid: [1], resourceVersion: {}, " +
		"managedFields: x}\nstatus: x\n"}, args: fromCluster,
		want: []string{"in/x.yaml:1:1: accepted: Widget x", goodObject}},
	{line: "an item that is no object", files: map[string]string{
		"in/x.yaml": "apiVersion: v1\nkind: List\nitems: [1]\n"}, args: fromCluster,
		code: exitRefused, want: []string{"in/x.yaml:3:9: error: items[0]: expected an object", goodObject}},
	{line: "a list that contains itself", files: map[string]string{
		"in/x.yaml": "apiVersion: v1\nkind: List\nitems: &a [*a]\n"}, args: fromCluster,
		code: exitRefused, want: []string{"in/x.yaml:1:1: error: yaml: anchor 'a'", goodObject}},
	{line: "a list that is cut", files: map[string]string{
		"in/x.yaml": "apiVersion: v1\nkind: List\nitems:\n- metadata: {name: w\n"}, args: fromCluster,
		code: exitRefused, want: []string{"in/x.yaml:5:1: error: yaml: ", goodObject}},
}

// Each feature that reads a repository bears what is in it.
func TestBadRepositories(t *testing.T) {
	for _, c := range slices.Concat(badConfigurations, badSkips, badValues, badTemplates,
		badKustomizations, badSchemas, badSources, badClusters) {
		t.Run(c.line, func(t *testing.T) {
			writeFiles(t, map[string]string{"crd.yaml": widgets, "in/good.yaml": widget})
			for name, text := range c.files {
				if text != "FIFO" {
					writeMore(t, map[string]string{name: text})
					continue
				}
				writeMore(t, map[string]string{filepath.Join(filepath.Dir(name), ".keep"): ""})
				if err := syscall.Mkfifo(name, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if c.args == "" {
				c.args = "validate --verbose crd.yaml in"
			}
			before := regularFiles(t)
			code, out, errs := execute(t, "", strings.Fields(c.args)...)
			for _, want := range c.want {
				if !strings.Contains(out+errs, want) {
					t.Errorf("it does not print %q", want)
				}
			}
			if code != c.code || t.Failed() {
				t.Errorf("exit code %d, want %d\n%.2000s\n%.1000s", code, c.code, out, errs)
			}
			if after := regularFiles(t); code != exitOK && !slices.Equal(before, after) {
				t.Errorf("it wrote files: %q, before %q", after, before)
			}
		})
	}
}

// regularFiles returns the files below the current folder.
func regularFiles(t *testing.T) (all []string) {
	t.Helper()
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			all = append(all, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// What is watched may become unreadable, a pipe or a folder, and may go.
func TestWatchBadFiles(t *testing.T) {
	writeFiles(t, map[string]string{
		"crd/crd.yaml": widgets, "in/x.yaml": widget, "in/good.yaml": widget, ".git/config": "",
	})
	out := startWatching(t, "validate", "--watch", "--crd", "crd", "in")
	out.next(t, "2 objects: 2 accepted")
	for _, step := range []struct {
		do   func() error
		want string
	}{
		{func() error { return os.WriteFile("in/x.yaml", []byte("a: ["), 0o600) }, "in/x.yaml:1:"},
		{func() error { return os.WriteFile(".crdsem.yaml", []byte("a: ["), 0o600) }, ".crdsem.yaml: yaml: "},
		{func() error { return os.WriteFile(".crdsem.yaml", nil, 0o600) }, "1 unreadable"},
		{func() error { return os.Remove("in/x.yaml") }, "1 object: 1 accepted"},
		{func() error { return syscall.Mkfifo("in/x.yaml", 0o600) }, "1 object: 1 accepted"},
		{func() error { return os.RemoveAll("crd") }, "crd: error: no such file"},
		{func() error { writeMore(t, map[string]string{"crd/crd.yaml": widgets}); return nil },
			"1 object: 1 accepted"},
	} {
		if err := step.do(); err != nil {
			t.Fatal(err)
		}
		out.next(t, step.want)
	}
}
