package repository_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/internal/app/repository"
)

func kustomization(path string, postBuild any) map[string]any {
	return map[string]any{
		"apiVersion": "kustomize.toolkit.fluxcd.io/v1", "kind": "Kustomization",
		"spec": map[string]any{"path": path, "postBuild": postBuild},
	}
}

func TestOwners(t *testing.T) {
	var o repository.Owners
	if got := o.Values("/r/a.yaml", nil); got != nil {
		t.Errorf("without owners: %v", got)
	}
	configMap := func(name, value string) map[string]any {
		return map[string]any{"apiVersion": "v1", "kind": "ConfigMap",
			"metadata": map[string]any{"name": name}, "data": map[string]any{"C": value, "D": value}}
	}
	from := []any{
		map[string]any{"kind": "ConfigMap", "name": "settings"},
		map[string]any{"kind": "ConfigMap", "name": "twice"},
		map[string]any{"kind": "Secret", "name": "hidden"}, "x", map[string]any{"kind": "ConfigMap"},
	}
	for _, object := range []map[string]any{
		configMap("settings", "c"), configMap("hidden", "h"), configMap("", "e"),
		{"apiVersion": "v1", "kind": "Secret", "metadata": map[string]any{"name": "settings"}},
		configMap("twice", "a"), configMap("twice", "b"),
		kustomization("./apps", map[string]any{
			"substitute": map[string]any{"A": "a", "N": int64(1), "D": "own"}, "substituteFrom": from,
		}),
		kustomization("apps/both", map[string]any{"substitute": map[string]any{"A": "1", "B": "b"}}),
		kustomization("apps/both", map[string]any{"substitute": map[string]any{"A": "2", "B": "b"}}),
		configMap("thrice", "a"), configMap("thrice", "b"), configMap("thrice", "a"), configMap("alike", "x"), configMap("alike", "x"),
		kustomization("/rooted", map[string]any{"substituteFrom": []any{
			map[string]any{"kind": "ConfigMap", "name": "thrice"}, map[string]any{"kind": "ConfigMap", "name": "alike"}}}),
		kustomization("apps/three", map[string]any{"substitute": map[string]any{"A": "1", "B": "b", "C": "c"}}),
		kustomization("apps/three", map[string]any{"substitute": map[string]any{"A": "1", "B": "b"}}),
		kustomization("apps/three", map[string]any{"substitute": map[string]any{"A": "1", "B": "x", "C": "c"}}),
		kustomization("../out", map[string]any{}),
		kustomization("plain", nil),
		{"kind": "Kustomization"},
	} {
		o.Read("/r", "", object)
	}
	for file, want := range map[string]map[string]string{
		"/r/apps/a.yaml":      {"A": "a", "C": "c", "D": "own"},
		"/r/apps/x/y.yaml":    {"A": "a", "C": "c", "D": "own"},
		"/r/apps/both/a.yaml": {"B": "b"},
		"/r/plain/a.yaml":     nil,
		"/out/a.yaml":         nil,
		"/r/applications/a":   nil,
		"/r/rooted/a.yaml":    {"C": "x", "D": "x"},
		"/r/apps/three/a":     {"A": "1"},
	} {
		if diff := cmp.Diff(want, o.Values(file, nil)); diff != "" {
			t.Errorf("%s: %s", file, diff)
		}
	}
	win := map[string]string{"A": "won", "E": "e"}
	for file, want := range map[string]map[string]string{
		"/r/apps/a.yaml": {"A": "won", "C": "c", "D": "own", "E": "e"}, "/r/plain/a.yaml": win,
	} {
		if diff := cmp.Diff(want, o.Values(file, win)); diff != "" {
			t.Errorf("%s with values that win: %s", file, diff)
		}
	}
	for _, root := range []any{"", "/", "./", nil} { // Flux reads the root
		whole := kustomization("", map[string]any{"substitute": map[string]any{
			"R": "r", "HOST": "mcp.${DOMAIN}"}})
		whole["spec"].(map[string]any)["path"] = root
		var o repository.Owners
		o.Read("/r", "", whole)
		if diff := cmp.Diff(map[string]string{"R": "r"}, o.Values("/r/x/a.yaml", nil)); diff != "" {
			t.Errorf("path %v: %s", root, diff)
		}
	}
}

func TestPlaceholders(t *testing.T) {
	object := func(annotation, text string) map[string]any {
		return map[string]any{
			"metadata": map[string]any{"annotations": map[string]any{annotation: "disabled"}},
			"a":        text,
		}
	}
	for _, c := range []struct {
		annotation, text string
		hidden           bool
	}{
		{"x", "<path:secret/data/a#b>", true},
		{"x", "x-<path:secret/data/a#b | base64encode>", true},
		{"x", "<name>", false},
		{"x", "a < b > c", false},
		{"avp.kubernetes.io/path", "<name | base64encode>", true},
		{"avp.kubernetes.io/path", "<1>", false},
		{"x", "${A}", true},
		{"kustomize.toolkit.fluxcd.io/substitute", "${A}", false},
	} {
		_, hidden := repository.Reveal(object(c.annotation, c.text), nil)
		if hidden.Covers("a", "") != c.hidden {
			t.Errorf("%s %s: %v", c.annotation, c.text, hidden)
		}
	}
}

func TestWithoutServer(t *testing.T) {
	object := map[string]any{"spec": int64(1), "status": int64(2), "metadata": map[string]any{
		"name": "a", "uid": "u", "resourceVersion": "1", "managedFields": []any{},
		"creationTimestamp": nil, "generation": int64(1), "selfLink": "/a",
	}}
	want := map[string]any{"spec": int64(1), "metadata": map[string]any{"name": "a"}}
	if diff := cmp.Diff(want, repository.WithoutServer(object)); diff != "" {
		t.Error(diff)
	}
	if object["status"] == nil || object["metadata"].(map[string]any)["uid"] == nil {
		t.Error("the object was changed")
	}
	if got := repository.WithoutServer(map[string]any{"a": 1}); len(got) != 1 {
		t.Error(got)
	}
}

// Of several owners of a Kustomization the one counts that leaves it the most
// patches, in whatever order they are read.
func TestOwnersInAnyOrder(t *testing.T) {
	owner := func(name, path string, patches ...any) map[string]any {
		k := kustomization(path, nil)
		k["metadata"] = map[string]any{"name": name}
		k["spec"].(map[string]any)["patches"] = patches
		return k
	}
	patch := func(kind, text string) any {
		return map[string]any{"patch": text, "target": map[string]any{"kind": kind}}
	}
	const nested = "- {op: add, path: /spec/patches, value: [{target: {kind: A}, " +
		`patch: '[{"op": "add", "path": "/x", "value": 1}]'}]}`
	all := []map[string]any{
		owner("one", "apps", patch("Kustomization", nested)),
		owner("other", "apps", patch("Kustomization", "- {op: add, path: /spec/prune, value: true}")),
		owner("inner", "inner"),
	}
	files := []string{"/r/one.yaml", "/r/other.yaml", "/r/apps/ks.yaml"}
	for _, order := range [][]int{{0, 1, 2}, {1, 0, 2}, {2, 1, 0}, {2, 0, 1}} {
		var o repository.Owners
		for _, i := range order {
			o.Read("/r", files[i], all[i])
		}
		object := map[string]any{"apiVersion": "a.io/v1", "kind": "A"}
		got := o.Patched("/r/inner/a.yaml", object, nil)
		if len(got) != 1 || got[0].Object["x"] != int64(1) || got[0].By != "Kustomization inner" {
			t.Errorf("%v: %v", order, got)
		}
	}
}

// Components that include each other many times are built once each.
func TestComponentsOfEachOther(t *testing.T) {
	var o repository.Owners
	many := make([]any, 50)
	for i := range many {
		many[i] = []string{"../a", "../b"}[i%2]
	}
	for _, name := range []string{"a", "b"} {
		o.ReadResources("/r/"+name, map[string]any{
			"kind": "Component", "components": many, "namePrefix": name + "-",
		})
	}
	o.ReadResources("/r/app", map[string]any{
		"components": []any{"../a"}, "resources": []any{"x.yaml"},
	})
	object := map[string]any{"apiVersion": "example.com/v1", "kind": "Widget",
		"metadata": map[string]any{"name": "w"}}
	got := o.Patched("/r/app/x.yaml", object, nil)
	if len(got) != 1 || got[0].Unknown {
		t.Fatalf("got %+v", got)
	}
	want := map[string]any{"name": "a-b-w"}
	if diff := cmp.Diff(want, got[0].Object["metadata"]); diff != "" {
		t.Error(diff)
	}
}
