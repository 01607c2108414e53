package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"sigs.k8s.io/yaml"
)

// Files that are not meant for a server are counted and are no errors. With
// --strict-files they are.
func TestFilesThatAreNoManifests(t *testing.T) {
	const counted, refused = "not judged, ", "x.yaml:"
	for _, c := range []struct {
		line, text, reason, strict string
	}{
		{"values of a chart", "replicas: 1\n", "not a Kubernetes object: 1", ""},
		{"Chart.yaml", "apiVersion: v2\nname: c\n", "not a Kubernetes object: 1 x.yaml",
			"1:1: error: the object has no kind"},
		{"a playbook", "- hosts: all\n", "not a Kubernetes object: 1",
			"1:1: error: expected an object, got array"},
		{"a playbook with templates", "- hosts: all\n  run: |\n    {{ item }}\n",
			"not a Kubernetes object: 1", "3:5: error: expected an object, got array"},
		{"a text", "hello\n", "not a Kubernetes object: 1", "1:1: error: expected an object, got string"},
		{"a template", widget + "{{- if .Values.x }}\n", "a template: render it first: 1 Helm",
			"6:1: error: yaml: "},
		{"a template in a value", strings.Replace(widget, "1}", "{{ .Values.size }}}", 1),
			"a template: render it first: 1 Helm", "4:14: error: yaml: invalid map key"},
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

// Nothing is judged in a folder that has a kustomization only: a line says how
// it is.
func TestKustomizationAlone(t *testing.T) {
	writeFiles(t, map[string]string{"crd.yaml": widgets, "base/w.yaml": widget,
		"base/kustomization.yaml": "resources: [w.yaml]\n",
		"over/kustomization.yaml": "resources: [../base]\n"})
	for folder, want := range map[string]string{
		"over": "crdsem validate --kustomize over judges them\n", "base": "",
	} {
		code, out, errs := execute(t, "", "validate", "--crd", "crd.yaml", folder)
		if strings.Contains(errs, "--kustomize") != (want != "") || !strings.Contains(errs, want) ||
			(code == exitNotJudged) != (want != "") {
			t.Errorf("%s: exit code %d\n%s%s", folder, code, out, errs)
		}
	}
}

// The table of minors counts the objects that are judged.
func TestMatrixCountsJudgedObjects(t *testing.T) {
	writeFiles(t, map[string]string{"crd.yaml": widgets, "w.yaml": widget,
		"other.yaml": "apiVersion: example.org/v1\nkind: Other\nmetadata: {name: o}\n"})
	_, out, errs := execute(t, "", "validate", "--kubernetes", "1.36-1.37", ".")
	for _, want := range []string{
		"\n1 object                1     1\n", "2 objects: 1 accepted, 0 refused, 1 not judged",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s%s", want, out, errs)
		}
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
			want:  []string{"keep.tmp.yaml:4:14", "1 object: 0 accepted, 1 refused", "; 2 files skipped"}},
		{line: "kinds", config: "skip: {kinds: [Widget.example.com]}\n",
			files: map[string]string{"x.yaml": bad},
			want:  []string{"skipped by the configuration: 1 example.com/v1 Widget"}},
		{line: "groups", config: "skip: {groups: [example.com]}\n",
			files: map[string]string{"x.yaml": bad}, want: []string{"skipped by the configuration: 1"}},
		{line: "names", config: "skip: {names: [a]}\n", code: exitRefused,
			files: map[string]string{"a.yaml": renamed("a"), "b.yaml": renamed("b")},
			want:  []string{"b.yaml:4:14", "skipped by the configuration: 1"}},
		{line: "fields", config: "skip: {fields: [spec.size]}\n",
			files: map[string]string{"x.yaml": bad}, want: []string{"fields that the configuration skips: 1", "1 accepted"}},
		{line: "findings", config: "ignore: [{rule: VAL-020, path: a/, reason: later}]\n", code: exitRefused,
			files: map[string]string{"a/x.yaml": bad, "b/x.yaml": bad},
			want:  []string{"b/x.yaml:4:14", "1 accepted, 1 refused", "1 finding ignored"}},
		{line: "findings of an object", config: "ignore: [{kind: Widget.example.com, name: default/a, reason: later}]\n",
			code: exitRefused, files: map[string]string{
				"a.yaml": strings.Replace(renamed("a"), "name: a", "name: a, namespace: default", 1), "b.yaml": renamed("a")},
			want: []string{"b.yaml:4:14", "1 accepted, 1 refused", "1 finding ignored"}},
		{line: "findings of a field", config: "ignore: [{field: spec, reason: later}]\n",
			files: map[string]string{"a.yaml": bad}, want: []string{"1 accepted", "1 finding ignored"}},
		{line: "findings of another field", config: "ignore: [{field: spec.siz, reason: later}]\n",
			files: map[string]string{"a.yaml": bad}, code: exitRefused,
			want: []string{"a.yaml:4:14", "ignore spec.siz: there is no such finding"}},
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
				"sops: {mac: x}\n"}, want: []string{"1 accepted", "that SOPS encrypted: 1"}},
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

// The Kustomization of Flux that owns a folder says what is substituted there.
// The configuration wins, and of other folders nothing is known.
func TestPostBuild(t *testing.T) {
	const owner = `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: apps, namespace: flux-system}
spec:
  path: ./apps
  postBuild:
    substitute: {COLOR: red, NAME: web}
    substituteFrom: [{kind: ConfigMap, name: settings}]
---
apiVersion: v1
kind: ConfigMap
metadata: {name: settings}
data: {SUFFIX: Bad}
`
	text := func(name string) string { return strings.Replace(widget, "name: w", "name: "+name, 1) }
	writeFiles(t, map[string]string{
		".git/config": "", "crd.yaml": widgets, "cluster/apps.yaml": owner,
		"apps/a/x.yaml": text(`"x-${COLOR}"`), "apps/y.yaml": text(`"${NAME}-${SUFFIX}"`),
		"apps/z.yaml": text(`"z-${UNKNOWN}"`), "other/x.yaml": text(`"X-${COLOR}"`),
		".crdsem.yaml": "substitute: {NAME: db}\nvalidate: {verbose: true}\n",
	})
	code, out, errs := execute(t, "", "validate", ".")
	for _, want := range []string{
		"Widget x-red (", "apps/y.yaml:3:18: error: Widget db-Bad: metadata.name",
		"apps/z.yaml:1:1: accepted", "other/x.yaml:1:1: accepted",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("it does not print %q", want)
		}
	}
	if code != exitRefused || t.Failed() {
		t.Errorf("exit code %d\n%s%s", code, out, errs)
	}
}

// What a server fills in is not judged, if objects are said to be a server's.
// An object with a uid surely is one.
func TestFromCluster(t *testing.T) {
	object := func(metadata string) string {
		return strings.Replace(widget, "name: w", "name: w, "+metadata, 1) + "status: {sise: 1}\n"
	}
	for _, c := range []struct {
		metadata, flag, want string
		code                 int
	}{
		{`resourceVersion: "7"`, "--from-cluster", "1 object: 1 accepted", exitOK},
		{`resourceVersion: "7", uid: u, managedFields: [{fieldsV1: 1}]`, "--from-cluster",
			"1 object: 1 accepted", exitOK},
		{`resourceVersion: "7", uid: u`, "--verbose=false", `unknown field "status"`, exitRefused},
		{`resourceVersion: "7"`, "--verbose=false", "refuses to create an object with a resourceVersion",
			exitRefused},
	} {
		writeFiles(t, map[string]string{"crd.yaml": widgets})
		args := []string{"validate", c.flag, "--crd", "crd.yaml", "-"}
		code, out, errs := execute(t, object(c.metadata), args...)
		if code != c.code || !strings.Contains(out, c.want) ||
			c.code == exitOK && strings.Contains(out, "warning") {
			t.Errorf("%s %s: exit code %d\n%s%s", c.flag, c.metadata, code, out, errs)
		}
	}
}

// kubectl runs a program of this name as its plugin, whose usage says so.
func TestPlugin(t *testing.T) {
	before := os.Args
	t.Cleanup(func() { os.Args = before })
	os.Args = []string{"/usr/bin/kubectl-crdsem"}
	if _, out, _ := execute(t, "", "validate", "--help"); !strings.Contains(out,
		"kubectl crdsem validate [PATH...]") {
		t.Error(out)
	}
}

// Config prints what is in force, and where each value comes from.
func TestConfigCommand(t *testing.T) {
	writeFiles(t, map[string]string{"a/b/x.yaml": widget, ".git/config": ""})
	if code, out, _ := execute(t, "", "config", "a/b"); code != exitOK ||
		!strings.HasPrefix(out, "# no .crdsem.yaml applies\nvalidate:\n") ||
		!strings.Contains(out, "  strict-files: false # default\n") {
		t.Errorf("exit code %d\n%s", code, out)
	}
	writeFiles(t, map[string]string{"a/b/x.yaml": widget, ".git/config": "", "a/.crdsem.yaml": `skip: {kinds: [A]}
validate:
  kubernetes: 1.33
lint:
  disable: [LINT-bound]
  kubernetes: 1.31-1.32
ignore:
- {rule: VAL-020, reason: later}
definitions:
  sources:
  - crds
`})
	code, out, errs := execute(t, "", "config", "a/b")
	for _, want := range []string{
		"/a/.crdsem.yaml\n", "  kubernetes: \"1.33\" # .crdsem.yaml:3\n",
		"  kubernetes: 1.31-1.32 # .crdsem.yaml:6\n", "  disable: [LINT-bound] # .crdsem.yaml:5\n",
		"  kinds: [A] # .crdsem.yaml:1\n", "  # .crdsem.yaml:8\n  - {rule: VAL-020, reason: later}\n",
		"  # .crdsem.yaml:10\n  sources:\n    - crds\n",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("it does not print %q", want)
		}
	}
	if code != exitOK || t.Failed() {
		t.Errorf("exit code %d\n%s%s", code, out, errs)
	}
}

// The JSON Schema of the configuration refuses what the reader refuses.
// CRDSEM_GOLDEN=write rewrites the published one.
func TestConfigSchema(t *testing.T) {
	_, published, _ := execute(t, "", "config", "--schema")
	file := filepath.Join("..", "..", "docs", "crdsem.schema.json")
	if os.Getenv("CRDSEM_GOLDEN") == "write" {
		write(t, file, published)
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != published {
		t.Errorf("%s is not what crdsem config --schema prints: %v", file, err)
	}
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(published))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("schema.json", document); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	for text, fine := range map[string]bool{
		"{}": true,
		"validate: {kubernetes: 1.33, crd: [a, b], force: true, output: sarif}": true,
		"check: {old: a, verbose: true}":                                        true,
		"upgrade: {tries: 5, fail-on: never}":                                   true,
		"lint: {disable: [all], severity: {LINT-bound: off}, failOn: style}":    true,
		"lint: {output: json, kubernetes: '1.31', field-validation: Strict}":    true,
		"skip: {paths: [a], kinds: [A], groups: [g], names: [n], fields: [f]}":  true,
		"skip: {gitignore: ignore}":                                             true,
		"ignore: [{rule: VAL-020, field: spec, name: a/b, reason: r}]":          true,
		"substitute: {A: b, N: 1}":                                              true,
		"definitions: {folder: crds, sources: [cluster]}":                       true,
		"validates: {}":                         false,
		"validate: {crds: [a]}":                 false,
		"validate: {config: a}":                 false,
		"validate: {output: xml}":               false,
		"validate: {output: [text]}":            false,
		"validate: {crd: {a: b}}":               false,
		"check: {crd: a}":                       false,
		"lint: {disabled: [a]}":                 false,
		"lint: {failOn: never}":                 false,
		"lint: {disable: {}}":                   false,
		"skip: [a]":                             false,
		"skip: {gitignore: sometimes}":          false,
		"ignore: [{rule: VAL-020}]":             false,
		"ignore: [{reason: r}]":                 false,
		"ignore: [{rules: VAL-020, reason: r}]": false,
		"substitute: [a]":                       false,
		"definitions: {sources: {}}":            false,
	} {
		writeFiles(t, map[string]string{".git/config": "", ".crdsem.yaml": text})
		line := "config"
		if strings.HasPrefix(text, "lint: {failOn") { // it is read by lint
			line = "lint"
		}
		code, _, errs := execute(t, "", line, ".")
		if read := code != exitFailed; read != fine {
			t.Errorf("%s: exit code %d\n%s", text, code, errs)
		}
		var value any
		if err := yaml.Unmarshal([]byte(text), &value); err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(value); (err == nil) != fine {
			t.Errorf("%s: the schema says %v", text, err)
		}
	}
}

// Of a patch, unknown fields and types are judged: nothing that the rest of the
// object may fix.
func TestPatches(t *testing.T) {
	const strategic = "patchesStrategicMerge: [p.yaml]\n"
	spec := func(text string) string { return strings.Replace(widget, "size: 1", text, 1) }
	for _, c := range []struct {
		line, kustomization, patch string
		want                       string // findings, or the reason why it is not judged
	}{
		{"nothing is wrong", strategic, widget, ""},
		{"no name", strategic, "apiVersion: example.com/v1\nkind: Widget\nspec: {size: 1}\n", ""},
		{"an invalid name", strategic, strings.Replace(widget, "name: w", "name: ANY", 1), ""},
		{"a required field", strategic, spec("color: red"), ""},
		{"a value", strategic, spec("size: 1, color: blue"), ""},
		{"a null", strategic, spec("size: null, old: null"), ""},
		{"directives", strategic, spec("$patch: replace, $retainKeys: [size], size: 1"), ""},
		{"a directive of an item", strategic, spec("parts: [{id: a, $patch: delete}]"), ""},
		{"an unknown field", strategic, spec("sise: 1"), `unknown field "spec.sise"`},
		{"a type", strategic, spec("size: x"), "spec.size in body must be of type integer"},
		{"a type in a list", strategic, spec("parts: [{$patch: merge}, {id: 1}]"),
			"spec.parts[1].id in body must be of type string"},
		{"a type of metadata", strategic, strings.Replace(widget, "name: w", "name: 1", 1),
			"cannot unmarshal number"},
		{"a path", "patches: [{path: p.yaml}]\n", spec("sise: 1"), `unknown field "spec.sise"`},
		{"a target", "patches: [{path: ./p.yaml, target: {kind: Widget}}]\n", spec("sise: 1"),
			`unknown field "spec.sise"`},
		{"a target of another kind", "patches: [{path: p.yaml, target: {kind: .*}}]\n",
			spec("sise: 1"), ""},
		{"named twice", strategic + "configurations: [p.yaml]\n", spec("sise: 1"), ""},
		{"in JSON", "patches: [{path: p.yaml, target: {kind: Widget}}]\n", `[{"op": "remove", "path": "/spec/size"}]`, ""},
		{"in JSON, of nothing", "patches: [{path: p.yaml}]\n", "[{op: remove, path: /spec/size}]\n",
			"a list of operations needs a target"},
		{"no path", "patches: [{path: 1}, 2, {target: 3}]\n" + strategic, widget, ""},
	} {
		t.Run(c.line, func(t *testing.T) {
			definition := strings.Replace(widgets, "properties: {size: {type: integer}}",
				`required: [size], properties: {size: {type: integer},
            color: {type: string, enum: [red]},
            parts: {type: array, items: {type: object, required: [id],
              properties: {id: {type: string}}}}}`, 1)
			writeFiles(t, map[string]string{
				"crd.yaml": definition, "a/p.yaml": c.patch,
				"a/kustomization.yaml": "kind: Kustomization\n" +
					"apiVersion: kustomize.config.k8s.io/v1beta1\n" + c.kustomization,
			})
			args := []string{"validate", "--strict-files", "--kubernetes", "1.36-1.37", "."}
			code, out, errs := execute(t, "", args...)
			want, wantCode := "not judged, a patch of kustomize: 1", exitOK
			if c.want != "" {
				want, wantCode = c.want, exitRefused
			}
			if code != wantCode || strings.Count(out, "error: ") > 1 ||
				!strings.Contains(out, want) {
				t.Errorf("exit code %d, want %d\n%s%s", code, wantCode, out, errs)
			}
		})
	}
}

// A finding that is left out refuses nothing in any minor.
func TestLeftOutInEveryMinor(t *testing.T) {
	writeFiles(t, map[string]string{
		"crd.yaml": widgets, "x.yaml": strings.Replace(widget, "size: 1", "size: x", 1),
		".crdsem.yaml": "skip: {fields: [spec.size]}\n",
	})
	code, out, errs := execute(t, "", "validate", "--kubernetes", "1.36-1.37", ".")
	if code != exitOK || !strings.Contains(out, "1 object                1     1\n") {
		t.Errorf("exit code %d\n%s%s", code, out, errs)
	}
}

// What follows from a value that is not known is left out, too.
func TestFindingsThatFollowFromHiddenValues(t *testing.T) {
	definition := strings.Replace(widgets, "spec: {type: object,",
		"spec: {type: object, x-kubernetes-validations: [{rule: self.size > 0}],", 1)
	for _, c := range []struct{ line, text, want string }{
		{"rules are not checked", strings.Replace(widget, "size: 1", "size: '${SIZE}'", 1), ""},
		{"a label", strings.Replace(widget, "name: w", "name: w, labels: {a: '${A}-b'}", 1), ""},
		{"another finding", strings.Replace(widget, "size: 1", "size: '${SIZE}', sise: 1", 1),
			"unknown field"},
	} {
		writeFiles(t, map[string]string{"crd.yaml": definition, "x.yaml": c.text})
		code, out, errs := execute(t, "", "validate", "--verbose=false", ".")
		want := exitOK
		if c.want != "" {
			want = exitRefused
		}
		if code != want || !strings.Contains(out, c.want) ||
			!strings.Contains(out, "note: findings left out on variables, which Flux replaces") {
			t.Errorf("%s: exit code %d\n%s%s", c.line, code, out, errs)
		}
	}
}

// A patch of a definition is none.
func TestPatchOfDefinition(t *testing.T) {
	writeFiles(t, map[string]string{
		"crd/bases/widgets.yaml": widgets, "x.yaml": widget,
		"crd/kustomization.yaml": "resources: [bases/widgets.yaml]\n" +
			"patches: [{path: patches/webhook.yaml}]\n",
		"crd/patches/webhook.yaml": "apiVersion: apiextensions.k8s.io/v1\n" +
			"kind: CustomResourceDefinition\nmetadata: {name: widgets.example.com}\n" +
			"spec: {conversion: {strategy: Webhook}}\n",
	})
	for _, args := range [][]string{{"validate", "."}, {"validate", "--crd", "crd", "x.yaml"}} {
		code, out, errs := execute(t, "", args...)
		if code != exitOK || strings.Count(out, "1 accepted, 0 refused") != 2 ||
			!strings.Contains(out, "1 definition: 1 accepted, 0 refused") {
			t.Errorf("%q: exit code %d\n%s%s", args, code, out, errs)
		}
	}
}

// A file that is named itself is a patch all the same: a kustomization in its
// folder or above it says so, up to the root of the repository.
func TestPatchNamedItself(t *testing.T) {
	bad := strings.Replace(widget, "size: 1", "size: -1", 1)
	definition := strings.Replace(widgets, "type: integer", "type: integer, minimum: 0", 1)
	for _, c := range []struct {
		kustomization, text string
		code                int
	}{
		{"r/a/kustomization.yaml", "patches: [{path: p/x.yaml}]\n", exitNotJudged},
		{"r/a/kustomization.yml", "patches: [{path: p/x.yaml}]\n", exitNotJudged},
		{"r/a/p/Kustomization", "patches: [{path: x.yaml}]\n", exitNotJudged},
		{"r/kustomization.yaml", "patches: [{path: a/p/x.yaml}]\n", exitNotJudged},
		{"kustomization.yaml", "patches: [{path: r/a/p/x.yaml}]\n", exitRefused},
		{"r/a/kustomization.yaml", "patches: [{path: y.yaml}]\n", exitRefused},
		{"r/a/kustomization.yaml", "patches: [\n", exitRefused},
		{"r/a/kustomization.yaml/x", "", exitRefused},
	} {
		writeFiles(t, map[string]string{"c/crd.yaml": definition, "c/.git/config": "",
			"r/.git/config": "", "r/a/p/x.yaml": bad, c.kustomization: c.text})
		code, out, errs := execute(t, "", "validate", "--crd", "c", "r/a/p/x.yaml")
		if code != c.code {
			t.Errorf("%s %q: exit code %d\n%s%s", c.kustomization, c.text, code, out, errs)
		}
	}
}
