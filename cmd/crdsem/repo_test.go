package main

import (
	"strings"
	"testing"
)

// Files that are not meant for a server are counted and are no errors. With
// --strict-files they are.
func TestFilesThatAreNoManifests(t *testing.T) {
	const counted, refused = "not judged, ", "x.yaml:"
	for _, c := range []struct {
		line, text, reason, strict string
	}{
		{"values of a chart", "replicas: 1\n", "not a Kubernetes object: 1", ""},
		{"Chart.yaml", "apiVersion: v2\nname: c\n", "not a Kubernetes object: 1 v2",
			"1:1: error: the object has no kind"},
		{"a playbook", "- hosts: all\n", "not a Kubernetes object: 1",
			"1:1: error: expected an object, got array"},
		{"a text", "hello\n", "not a Kubernetes object: 1", "1:1: error: expected an object, got string"},
		{"a template", widget + "{{- if .Values.x }}\n", "a template: render it first: 1",
			"6:1: error: yaml: "},
		{"a template in a value", strings.Replace(widget, "1}", "{{ .Values.size }}}", 1),
			"a template: render it first: 1", "4:14: error: yaml: invalid map key"},
		{"a kustomization", "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n",
			"read by a tool, not by a server: 1 kustomize.config.k8s.io/v1beta1 Kustomization", ""},
		{"a cluster of kind", "apiVersion: kind.x-k8s.io/v1alpha4\nkind: Cluster\n",
			"read by a tool, not by a server: 1 kind.x-k8s.io/v1alpha4 Cluster", ""},
	} {
		t.Run(c.line, func(t *testing.T) {
			writeFiles(t, map[string]string{
				"crd.yaml": widgets, "in/x.yaml": c.text, "in/good.yaml": widget,
			})
			args := []string{"validate", "--crd", "crd.yaml", "in"}
			code, out, errs := execute(t, "", append(args, "--require-definitions")...)
			if code != exitOK || !strings.Contains(out, counted+c.reason+"\n") {
				t.Errorf("exit code %d\n%s%s", code, out, errs)
			}
			code, out, _ = execute(t, "", append(args, "--strict-files")...)
			if (c.strict != "") != (code == exitRefused) || !strings.Contains(out, c.strict) ||
				c.strict != "" && !strings.Contains(out, refused) {
				t.Errorf("--strict-files: exit code %d\n%s", code, out)
			}
		})
	}
}

// A manifest that lacks one of its two first fields is still an error.
func TestBrokenManifests(t *testing.T) {
	for text, want := range map[string]string{
		"apiVersion: example.com/v1\nmetadata: {name: w}\n": "error: w: the object has no kind",
		"kind: Widget\nmetadata: {name: w}\n":               "error: Widget w: the object has no apiVersion",
	} {
		writeFiles(t, map[string]string{"crd.yaml": widgets, "x.yaml": text})
		if code, out, _ := execute(t, "", "validate", "crd.yaml", "x.yaml"); code != exitRefused ||
			!strings.Contains(out, want) {
			t.Errorf("%q: exit code %d\n%s", text, code, out)
		}
	}
}

// What the configuration, comments and .gitignore leave out is counted.
func TestConfiguration(t *testing.T) {
	bad := strings.Replace(widget, "size: 1", "size: x", 1)
	renamed := func(name string) string { return strings.Replace(bad, "name: w", "name: "+name, 1) }
	for _, c := range []struct {
		line, config string
		files        map[string]string
		code         int
		want         []string
	}{
		{line: "nothing is configured", files: map[string]string{"x.yaml": bad}, code: exitRefused,
			want: []string{"x.yaml:4:14: error: "}},
		{line: "flags", config: "validate: {field-validation: Ignore, crd: [crd]}\n",
			files: map[string]string{"x.yaml": strings.Replace(widget, "size", "sise", 1)},
			want:  []string{"1 accepted", "field validation: Ignore"}},
		{line: "an unknown flag", config: "validate:\n  field: Ignore\n", code: exitFailed,
			want: []string{".crdsem.yaml:2: field: the command has no such flag"}},
		{line: "a bad value", config: "validate:\n  field-validation: No\n", code: exitFailed,
			want: []string{".crdsem.yaml:2: field-validation: it is Strict, Warn or Ignore"}},
		{line: "an unknown key", config: "skips: {}\n", code: exitFailed,
			want: []string{`.crdsem.yaml:1: unknown key "skips"`}},
		{line: "paths", config: "skip: {paths: [old/, '*.tmp.yaml', '!keep.tmp.yaml']}\n", code: exitRefused,
			files: map[string]string{"old/a.yaml": bad, "b.tmp.yaml": bad, "keep.tmp.yaml": bad},
			want:  []string{"keep.tmp.yaml:4:14", "1 object: 0 accepted, 1 refused"}},
		{line: "kinds", config: "skip: {kinds: [Widget.example.com]}\n",
			files: map[string]string{"x.yaml": bad},
			want:  []string{"skipped by the configuration: 1 example.com/v1 Widget"}},
		{line: "groups", config: "skip: {groups: [example.com]}\n",
			files: map[string]string{"x.yaml": bad}, want: []string{"skipped by the configuration: 1"}},
		{line: "names", config: "skip: {names: [a]}\n", code: exitRefused,
			files: map[string]string{"a.yaml": renamed("a"), "b.yaml": renamed("b")},
			want:  []string{"b.yaml:4:14", "skipped by the configuration: 1"}},
		{line: "fields", config: "skip: {fields: [spec.size]}\n",
			files: map[string]string{"x.yaml": bad}, want: []string{"1 findings on values", "1 accepted"}},
		{line: "findings", config: "ignore: [{rule: VAL-020, path: a/, reason: later}]\n", code: exitRefused,
			files: map[string]string{"a/x.yaml": bad, "b/x.yaml": bad},
			want:  []string{"b/x.yaml:4:14", "1 accepted, 1 refused", "1 finding ignored"}},
		{line: "findings that are not there", config: "ignore: [{rule: VAL-020, reason: later}]\n",
			files: map[string]string{"x.yaml": widget},
			want:  []string{"ignore VAL-020: there is no such finding"}},
		{line: "no reason", config: "ignore: [{rule: VAL-020}]\n", code: exitFailed,
			want: []string{"ignore[0] (VAL-020) has no reason"}},
		{line: "a comment", files: map[string]string{
			"x.yaml": strings.Replace(bad, "spec:", "# crdsem:ignore VAL-020 later\nspec:", 1)},
			want: []string{"1 accepted", "1 finding ignored"}},
		{line: "a comment that ignores nothing", files: map[string]string{
			"x.yaml": strings.Replace(widget, "spec:", "# crdsem:ignore VAL-020 later\nspec:", 1)},
			want: []string{"x.yaml:4:1: warning: Widget w: there is no finding of VAL-020 to ignore here"}},
		{line: ".gitignore", files: map[string]string{".gitignore": "/out\n", "out/x.yaml": bad,
			"x.yaml": widget}, want: []string{"1 object: 1 accepted"}},
		{line: ".gitignore is not asked for", config: "skip: {gitignore: ignore}\n", code: exitRefused,
			files: map[string]string{".gitignore": "/out\n", "out/x.yaml": bad},
			want:  []string{"out/x.yaml:4:14"}},
		{line: "variables", config: "substitute: {APP: web}\n",
			files: map[string]string{"x.yaml": renamed(`"${APP}-x-${ENV:=dev}"`), "y.yaml": renamed(`"${NO}-A"`)},
			code:  exitRefused,
			want:  []string{"Widget web-x-dev: ", "y.yaml:4:14: error"}},
		{line: "an encrypted value", files: map[string]string{
			"x.yaml": strings.Replace(widget, "size: 1", "size: 'ENC[AES256_GCM,data:x]'", 1) +
				"sops: {mac: x}\n"}, want: []string{"1 accepted", "1 findings on values"}},
		{line: "patches", code: exitOK, files: map[string]string{
			"a/kustomization.yaml": "kind: Kustomization\npatches: [{path: p.yaml}]\n" +
				"patchesStrategicMerge: [q.yaml]\n", "a/p.yaml": bad, "a/q.yaml": bad, "x.yaml": widget},
			want: []string{"a patch of kustomize: 2 example.com/v1 Widget", "1 accepted"}},
	} {
		t.Run(c.line, func(t *testing.T) {
			all := map[string]string{"crd/crd.yaml": widgets, ".git/config": ""}
			for name, text := range c.files {
				all[name] = text
			}
			if c.config != "" {
				all[".crdsem.yaml"] = c.config
			}
			writeFiles(t, all)
			code, out, errs := execute(t, "", "validate", "--verbose=false", ".")
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

// Config prints what applies and where it is.
func TestConfigCommand(t *testing.T) {
	writeFiles(t, map[string]string{"a/b/x.yaml": widget, ".git/config": ""})
	if code, out, _ := execute(t, "", "config", "a/b"); code != exitOK ||
		out != "# no .crdsem.yaml applies\n" {
		t.Errorf("exit code %d\n%s", code, out)
	}
	writeFiles(t, map[string]string{"a/b/x.yaml": widget, ".git/config": "",
		"a/.crdsem.yaml": "skip: {kinds: [A]}\n"})
	if code, out, _ := execute(t, "", "config", "a/b"); code != exitOK ||
		!strings.HasSuffix(out, "/a/.crdsem.yaml\nskip: {kinds: [A]}\n") {
		t.Errorf("exit code %d\n%s", code, out)
	}
}
