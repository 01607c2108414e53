package repository_test

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/internal/app/repository"
	"github.com/crdsem/crdsem/internal/test/testschema"
)

// Which objects of a repository are for a server, and which for a tool.
func TestKnown(t *testing.T) {
	for _, c := range []struct {
		object           string
		isManifest, tool bool
	}{
		{`{"apiVersion": "v1", "kind": "Pod"}`, true, false},
		{`{"apiVersion": "v1", "metadata": {}}`, true, false},
		{`{"kind": "Pod", "metadata": {}}`, true, false},
		{`{"apiVersion": "v2", "name": "chart"}`, false, false},
		{`{"kind": "Pod"}`, false, false},
		{`{"metadata": {}}`, false, false},
		{`{"kind": "Pod", "metadata": "a"}`, false, false},
		{`{"apiVersion": "kustomize.config.k8s.io/v1beta1", "kind": "Kustomization"}`, true, true},
		{`{"apiVersion": "builtin", "kind": "LabelTransformer"}`, true, false},
		{`{"apiVersion": "builtin/v1", "kind": "LabelTransformer"}`, true, true},
		{`{"apiVersion": "v1", "kind": "Config", "clusters": []}`, true, true},
		{`{"apiVersion": "v1", "kind": "Config"}`, true, false},
		{`{"apiVersion": "v2", "kind": "Config", "clusters": []}`, true, false},
		{`{"apiVersion": "a/v1", "kind": "Config", "clusters": []}`, true, false},
		{`{"apiVersion": "v1", "kind": "Pod", "clusters": []}`, true, false},
		{`{"apiVersion": "apps/v1", "kind": "Deployment"}`, true, false},
	} {
		object := testschema.Object(t, c.object)
		if got := repository.IsManifest(object); got != c.isManifest {
			t.Errorf("%s is a manifest: %t", c.object, got)
		}
		if got := repository.IsTool(object); got != c.tool {
			t.Errorf("%s is of a tool: %t", c.object, got)
		}
	}
	for _, group := range []string{
		"kind.x-k8s.io", "viaduct.ai", "apiserver.config.k8s.io", "skaffold",
	} {
		if !repository.IsTool(map[string]any{"apiVersion": group + "/v1", "kind": "A"}) {
			t.Errorf("%s is no tool", group)
		}
	}
}

// A template has an action where YAML has none.
func TestIsTemplate(t *testing.T) {
	for text, want := range map[string]bool{
		"{{ if a }}":         true,
		"a: 1\n  {%- if %}":  true,
		"a: {{ .Values.a }}": true,
		"- {{ a }}":          true,
		"a: 'x {{ b }}'":     false,
		"a: 1 # {{ b }}":     false,
		"a: b{{ c }}":        false,
		"a: {b: c}":          false,
	} {
		if got := repository.IsTemplate([]byte(text)); got != want {
			t.Errorf("%q is a template: %t", text, got)
		}
	}
	for text, want := range map[string]bool{
		"apiVersion: kustomize.toolkit.fluxcd.io/v1": true, "kind: ConfigMap": true,
		"apiVersion: kustomize.toolkit.fluxcd.io": false, "kind: Secret": false, "kind: ": false,
		"kind: ConfigMap\ndata: {}": true,
	} {
		if got := repository.MayOwn(text); got != want {
			t.Errorf("%q may own: %t", text, got)
		}
	}
}

// Files that a kustomization names are parts of objects, as its fields say.
func TestPatches(t *testing.T) {
	patches := repository.Patches{}
	patches.Read("dir", testschema.Object(t, `{
		"patches": [{"path": "a.yaml"}, {"path": "b.yaml", "target": {"kind": "Tab"}},
			{"patch": "text"}, {"path": ""}, "c.yaml", {"path": "twice.yaml"}, {"path": "same.yaml"}],
		"patchesStrategicMerge": ["sub/d.yaml", "twice.yaml", "same.yaml", "e.yaml"],
		"patchesJson6902": [{"path": "json.yaml"}, {"path": "e.yaml"}],
		"replacements": [{"path": "r.yaml"}], "configurations": ["conf.yaml"],
		"transformers": ["t.yaml"], "generators": ["g.yaml"], "crds": ["crd.yaml", 5]}`))
	want := map[string]string{ // the part of a Tab and of a Desk
		"a.yaml": "Tab Desk", "b.yaml": "Tab ", "c.yaml": "Tab Desk", "sub/d.yaml": "Tab Desk",
		"twice.yaml": "Tab Desk", "same.yaml": "Tab Desk", "e.yaml": " ", "json.yaml": " ",
		"r.yaml": " ", "conf.yaml": " ", "t.yaml": " ", "g.yaml": " ", "crd.yaml": " ",
	}
	got := map[string]string{}
	for path, part := range patches {
		name, err := filepath.Rel("dir", path)
		if err != nil {
			t.Fatal(err)
		}
		text := ""
		for i, kind := range []string{"Tab", "Desk"} {
			if i > 0 {
				text += " "
			}
			if object, ok := part.Object(map[string]any{"kind": kind}); ok {
				text += object["kind"].(string)
			}
		}
		got[filepath.ToSlash(name)] = text
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	patches = repository.Patches{}
	patches.Read("", testschema.Object(t,
		`{"patches": [{"path": "a", "target": {"kind": "Tab"}}], "patchesStrategicMerge": ["a", "b"]}`))
	if _, ok := patches["a"].Object(map[string]any{"kind": "Tab"}); ok {
		t.Error("a file that is two things is a part")
	}
	patch := `{"kind": "Tab", "a": null, "$patch": "merge", "b": [{"$patch": "delete", "c": 1}, null, "x"],
		"d": {"e": null, "f": {"$retainKeys": []}}}`
	object, ok := patches["b"].Object(testschema.Object(t, patch))
	if diff := cmp.Diff(testschema.Object(t,
		`{"kind": "Tab", "b": [{"c": 1}, null, "x"], "d": {"f": {}}}`), object); diff != "" || !ok {
		t.Error(diff)
	}
}

// Fields that are skipped are not known, nor what is below them.
func TestSkippedFields(t *testing.T) {
	var hidden repository.Hidden
	hidden.Add("spec.a[0].b", "metadata.labels[example.com/x]", "spec.c")
	for _, c := range []struct {
		path, rule string
		want       repository.Cause
	}{
		{"spec.a[0].b", "VAL-020", repository.Fields},
		{"spec.a[0].b.c[1]", "VAL-020", repository.Fields},
		{"spec.a[0]", "VAL-020", ""},
		{"spec.a[1].b", "VAL-020", ""},
		{"spec.a", "CEL-092", repository.Fields},
		{"spec", "LST-010", repository.Fields},
		{"", "CEL-092", repository.Fields},
		{"", "VAL-020", ""},
		{"spec.a", "VAL-060", repository.Fields},
		{"spec.a", "VAL-090", repository.Fields},
		{"spec.a", "VAL-070", ""},
		{"spec.d", "CEL-092", ""},
		{"metadata.labels[example.com/x]", "META-022", repository.Fields},
		{"metadata.labels", "META-022", repository.Fields},
		{"metadata.name", "META-022", ""},
	} {
		if got := hidden.Cause(c.path, c.rule); got != c.want {
			t.Errorf("%s at %q: %q, want %q", c.rule, c.path, got, c.want)
		}
		if got := hidden.Covers(c.path, c.rule); got != (c.want != "") {
			t.Errorf("%s at %q is covered: %t", c.rule, c.path, got)
		}
	}
}
