package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// kustomizers returns the programs that render kustomizations.
func kustomizers(t *testing.T) (paths []string) {
	t.Helper()
	for _, name := range []string{"kustomize", "kubectl"} {
		if path, err := exec.LookPath(name); err == nil {
			paths = append(paths, path)
		}
	}
	if len(paths) == 0 {
		if os.Getenv("CI") != "" {
			t.Fatal("neither kustomize nor kubectl is installed")
		}
		t.Skip("neither kustomize nor kubectl is installed") // users need neither; CI has kustomize
	}
	return paths
}

// What kustomize makes is judged, with places in the files that it came from. A
// folder that cannot be rendered is an error, and the others are judged.
func TestKustomize(t *testing.T) {
	over := func(rest string) string { return "resources: [../base]\n" + rest }
	patch := func(spec string) string {
		return over("namePrefix: a-\npatches:\n- patch: '{apiVersion: example.com/v1, " +
			"kind: Widget, metadata: {name: w}, spec: " + spec + "}'\n")
	}
	for _, c := range []struct {
		line, over, widget string
		code               int
		want               []string
	}{
		{line: "fine", over: over(""), want: []string{"1 object: 1 accepted"}},
		{line: "a patch", over: patch("{size: x}"), code: exitRefused, want: []string{
			"base/w.yaml:4:14: error: Widget a-w: spec.size: Invalid value",
			"kustomize makes `size: x` of it in over"}},
		{line: "a field of a patch", over: patch("{sise: 1}"), code: exitRefused, want: []string{
			`base/w.yaml:4:1: error: Widget a-w: unknown field "spec.sise"`, "makes `sise: 1` of it"}},
		{line: "the original", widget: strings.Replace(widget, "1}", "x}", 1),
			over: over("nameSuffix: -b\n"), code: exitRefused,
			want: []string{"base/w.yaml:4:14: error: Widget w-b: spec.size: "}},
		{line: "a comment of the original", over: patch("{size: x}"),
			widget: strings.Replace(widget, "spec:", "# crdsem:ignore VAL-020 later\nspec:", 1),
			want:   []string{"1 accepted", "1 finding ignored"}},
		{line: "a generator", over: over("configMapGenerator: [{name: c, literals: [a=b]}]\n"),
			want: []string{"2 accepted, 0 refused"}},
		{line: "two originals", widget: widget + "---\n" + strings.Replace(widget, "w", "v", 1),
			over: over("namePrefix: a-\npatches:\n- target: {name: w}\n  patch: '" +
				"[{\"op\": \"replace\", \"path\": \"/spec/size\", \"value\": \"x\"}]'\n"),
			code: exitRefused, want: []string{
				"over/kustomization.yaml: error: Widget a-w: spec.size: ", "makes `size: x` of"}},
		{line: "a definition", code: exitRefused, want: []string{"crd/crd.yaml:6:10: error: "},
			over: "resources: [../base, ../crd]\npatches:\n- target: {kind: CustomResourceDefinition}\n" +
				"  patch: '[{\"op\": \"replace\", \"path\": \"/spec/scope\", \"value\": \"No\"}]'\n"},
		{line: "an origin of its own", widget: strings.Replace(widget, "name: w", "name: w, annotations: "+
			`{config.kubernetes.io/origin: "path: /etc/passwd"}`, 1), over: patch("{size: x}"),
			code: exitRefused, want: []string{"base/w.yaml:4:14: error"}},
		{line: "an address", over: "resources: [https://example.com/w.yaml]\n", code: exitFailed,
			want: []string{"over/kustomization.yaml: error: ", "1 accepted", "1 input could not be read"}},
		{line: "a git repository", over: "resources: ['https://github.com/o/n//base?ref=v1']\n",
			code: exitFailed, want: []string{"over/kustomization.yaml: error: ", "1 accepted"}},
		{line: "a cycle", over: "resources: [../over]\n", code: exitFailed,
			want: []string{"over/kustomization.yaml: error: ", "cycle", "1 accepted"}},
		{line: "a file elsewhere", over: "resources: [../crd/crd.yaml]\n",
			code: exitFailed, want: []string{"over/kustomization.yaml: error: ", "1 accepted"}},
		{line: "a missing file", over: "resources: [none.yaml]\n", code: exitFailed,
			want: []string{"over/kustomization.yaml: error: ", "none.yaml", "1 accepted"}},
		{line: "no YAML", over: "resources: [\n", code: exitFailed,
			want: []string{"over/kustomization.yaml: error: ", "1 accepted"}},
		{line: "nothing", over: "resources: []\n", code: exitFailed,
			want: []string{"over/kustomization.yaml: error: ", "1 accepted"}},
	} {
		if c.widget == "" {
			c.widget = widget
		}
		for _, program := range kustomizers(t) {
			t.Run(filepath.Base(program)+" "+c.line, func(t *testing.T) {
				writeFiles(t, map[string]string{
					"crd/crd.yaml": widgets, "over/kustomization.yaml": c.over,
					"crd/kustomization.yaml":  "resources: [crd.yaml]\n",
					"base/kustomization.yaml": "resources: [w.yaml]\n", "base/w.yaml": c.widget,
				})
				args := []string{"validate", "--kustomize-program", program, "--crd", "crd",
					"--kustomize", "over"}
				if c.code == exitFailed {
					args = append(args, "base")
				}
				code, out, errs := execute(t, "", args...)
				for _, want := range c.want {
					if !strings.Contains(out+errs, want) {
						t.Errorf("it does not print %q", want)
					}
				}
				if code != c.code || t.Failed() {
					t.Errorf("exit code %d, want %d\n%s%s", code, c.code, out, errs)
				}
			})
		}
	}
}

// A finding of a file is printed once, also if kustomize repeats it.
func TestKustomizeOnce(t *testing.T) {
	program := kustomizers(t)[0]
	for _, c := range []struct {
		line, spec, patch, file, want string
	}{
		{"of a file that is a patch", "size: 1", "", strings.Replace(widget, "size: 1", "size: x", 1),
			"over/p.yaml:4:14: error: "},
		{"of the file", "size: x", "spec: {}", "", "base/w.yaml:4:14: error: Widget w: spec.size: "},
		{"of a patch", "size: 1", "spec: {size: x}", "", "over/kustomization.yaml:3:11: error: "},
	} {
		writeFiles(t, map[string]string{
			"crd.yaml": widgets, "base/kustomization.yaml": "resources: [w.yaml]\n",
			"base/w.yaml": strings.Replace(widget, "size: 1", c.spec, 1),
			"over/kustomization.yaml": "resources: [../base]\npatches:\n- patch: '" +
				"{apiVersion: example.com/v1, kind: Widget, metadata: {name: w}, " + c.patch + "}'\n",
		})
		if c.file != "" {
			writeMore(t, map[string]string{"over/p.yaml": c.file,
				"over/kustomization.yaml": "resources: [../base]\npatches: [{path: p.yaml}]\n"})
		}
		code, out, errs := execute(t, "", "validate", "--kustomize-program", program,
			"--kustomize", "over", ".")
		if code != exitRefused || strings.Count(out, ": error: ") != 1 ||
			!strings.Contains(out, c.want) || !strings.Contains(out, "not repeated: 1\n") ||
			!strings.Contains(out, "2 refused") {
			t.Errorf("%s: exit code %d\n%s%s", c.line, code, out, errs)
		}
	}
}

// The configuration names folders, and no program. Variables have the values
// that are known in the folder.
func TestKustomizeConfigured(t *testing.T) {
	kustomizers(t)
	writeFiles(t, map[string]string{
		".git/config": "", "crd.yaml": widgets, "base/kustomization.yaml": "resources: [w.yaml]\n",
		"base/w.yaml":  strings.Replace(widget, "name: w", `name: "a-${NAME}"`, 1),
		".crdsem.yaml": "validate: {kustomize: base, crd: crd.yaml}\nsubstitute: {NAME: b}\n",
	})
	t.Chdir("base")
	code, out, errs := execute(t, "", "validate", "--verbose", ".")
	if code != exitOK || strings.Count(out, "accepted: Widget a-b ") != 2 {
		t.Errorf("exit code %d\n%s%s", code, out, errs)
	}
	writeMore(t, map[string]string{"../.crdsem.yaml": "validate: {kustomize-program: ./x}\n"})
	code, _, errs = execute(t, "", "validate", ".")
	if code != exitFailed || !strings.Contains(errs, ".crdsem.yaml:1: kustomize-program: ") {
		t.Errorf("a program: exit code %d\n%s", code, errs)
	}
}

// Folders without a kustomization, and programs that are not there or fail.
func TestKustomizeWithout(t *testing.T) {
	writeFiles(t, map[string]string{
		"crd.yaml": widgets, "a/w.yaml": widget, "b/kustomization.yaml": "resources: []\n",
	})
	t.Setenv("PATH", t.TempDir())
	for _, c := range []struct {
		args string
		want string
	}{
		{"--kustomize b", `--kustomize: exec: "kustomize": executable file not found`},
		{"--kustomize-program ./no --kustomize b", "b/kustomization.yaml: error: "},
		{"--kustomize-program ./no --kustomize a", "a/kustomization.yaml: error: the folder has no"},
		{"--kustomize-program ./no --kustomize c", "c/kustomization.yaml: error: stat c: no such"},
		{"--kustomize-program ./no --kustomize crd.yaml", "crd.yaml/kustomization.yaml: error: "},
	} {
		args := append([]string{"validate", "crd.yaml", "a"}, strings.Fields(c.args)...)
		code, out, errs := execute(t, "", args...)
		isJudged := strings.Contains(out, "1 accepted") || strings.HasPrefix(c.want, "--")
		if code != exitFailed || !strings.Contains(out+errs, c.want) || !isJudged {
			t.Errorf("%s: exit code %d\n%s%s", c.args, code, out, errs)
		}
	}
}
