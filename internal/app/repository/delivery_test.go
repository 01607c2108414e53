package repository_test

import (
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"github.com/crdsem/crdsem/internal/app/repository"
)

// Objects are undelivered if other ones are delivered by what leads to others,
// and nothing that is delivered leads to them.
func TestUndelivered(t *testing.T) {
	flux := func(name, path string) map[string]any {
		out := kustomization(path, nil)
		out["metadata"] = map[string]any{"name": name}
		return out
	}
	argo := func(name string, source map[string]any) map[string]any {
		return map[string]any{
			"apiVersion": "argoproj.io/v1alpha1", "kind": "Application",
			"metadata": map[string]any{"name": name}, "spec": map[string]any{"source": source},
		}
	}
	instance := map[string]any{
		"apiVersion": "fluxcd.controlplane.io/v1", "kind": "FluxInstance",
		"spec": map[string]any{"sync": map[string]any{"path": "clusters/b"}},
	}
	foreign := flux("foreign", "./")
	source := func(name string) any { return map[string]any{"kind": "GitRepository", "name": name} }
	foreign["spec"].(map[string]any)["sourceRef"] = source("other")
	listed := flux("listed", "./apps/listed")
	listed["spec"].(map[string]any)["sourceRef"] = source("flux-system")
	plain := map[string]any{"spec": map[string]any{}}
	variable := map[string]any{"metadata": map[string]any{"name": "${APP}"}}
	directory := map[string]any{"path": "apps/d", "directory": map[string]any{
		"recurse": true, "exclude": "{skipped/*,?.yaml}", "include": "*.yaml"}}
	for _, c := range []struct {
		line            string
		owners          map[string]map[string]any // by file
		kustomizations  map[string][]any          // resources by folder
		delivered, none []string
		variables       bool // of none and delivered
	}{
		{line: "no owner leads to another one", owners: map[string]map[string]any{
			"a.yaml": flux("a", "apps/a"), "b.yaml": flux("b", "apps/b")},
			delivered: []string{"apps/a/x.yaml", "apps/b/x.yaml", "else/x.yaml"}},
		{line: "one that is not listed", owners: map[string]map[string]any{
			"clusters/a/root.yaml": flux("root", "clusters/a"), "apps/listed/ks.yaml": listed,
			"apps/left/ks.yaml": flux("left", "apps/left/app")},
			kustomizations: map[string][]any{"clusters/a": {"root.yaml", "../../apps/listed/ks.yaml"}},
			delivered:      []string{"apps/listed/x.yaml", "bootstrap/x.yaml"},
			none:           []string{"apps/left/app/x.yaml", "clusters/a/unlisted.yaml"}},
		{line: "a FluxInstance", owners: map[string]map[string]any{
			"flux.yaml": instance, "clusters/b/ks.yaml": flux("b", "apps/b"), "old/ks.yaml": flux("old", "apps/old")},
			delivered: []string{"apps/b/x.yaml"}, none: []string{"apps/old/x.yaml"}},
		{line: "the root of another repository", owners: map[string]map[string]any{
			"clusters/a/root.yaml": flux("root", "clusters/a"), "clusters/a/l.yaml": listed,
			"clusters/a/f.yaml": foreign},
			delivered: []string{"apps/listed/x.yaml", "bootstrap/x.yaml"}},
		{line: "a patch that is no whole Kustomization", owners: map[string]map[string]any{
			"clusters/a/root.yaml": flux("root", "clusters/a"), "clusters/a/l.yaml": listed,
			"local/fix.yaml": flux("listed", "")},
			delivered: []string{"apps/listed/x.yaml", "bootstrap/x.yaml"},
			none:      []string{"local/patches/x.yaml"}},
		{line: "variables that nothing replaces", owners: map[string]map[string]any{
			"clusters/a/root.yaml": flux("root", "clusters/a"), "clusters/a/l.yaml": listed}, variables: true,
			delivered: []string{"apps/listed/x.yaml"}, none: []string{"templates/x.yaml"}},
		{line: "bases that nothing reaches", owners: map[string]map[string]any{
			"clusters/a/root.yaml": flux("root", "clusters/a"), "clusters/a/l.yaml": listed},
			kustomizations: map[string][]any{"apps/listed": {"../base/used/x.yaml"}, "apps/base/left": {"x.yaml"}},
			delivered:      []string{"apps/base/used/x.yaml", "bootstrap/x.yaml", "apps/basement/x.yaml"},
			none:           []string{"apps/base/left/x.yaml", "bases/x.yaml"}},
		{line: "bases without Flux and Argo CD", delivered: []string{"apps/base/x.yaml"}},
		{line: "a directory of Argo CD", owners: map[string]map[string]any{
			"apps/root.yaml": argo("root", map[string]any{"path": "apps"}), "apps/d.yaml": argo("d", directory)},
			delivered: []string{"apps/d/some.yaml", "apps/d/in/some.yaml", "apps/x.yaml"},
			none:      []string{"apps/d/skipped/some.yaml", "apps/d/a.yaml", "apps/d/some.json", "apps/e/x.yaml"}},
		{line: "names of patches", delivered: []string{"a.yaml", "dispatch.yaml", "patches.yaml"},
			none: []string{"a-patch.yaml", "ci/platform-kustomization.yaml", "patch.yml",
				"local/patches/apps/a.yaml"}},
	} {
		var o repository.Owners
		for _, file := range slices.Sorted(maps.Keys(c.owners)) {
			o.Read("/r", filepath.Join("/r", file), c.owners[file])
		}
		for folder, resources := range c.kustomizations {
			o.ReadResources(filepath.Join("/r", folder), map[string]any{"resources": resources})
		}
		object := plain
		if c.variables {
			object = variable
		}
		for want, files := range map[bool][]string{false: c.delivered, true: c.none} {
			for _, file := range files {
				if got := o.Undelivered(filepath.Join("/r", file), object); got != want {
					t.Errorf("%s: %s is undelivered: %v", c.line, file, got)
				}
			}
		}
	}
}

// A file is a draft by its name, unless something delivers it.
func TestIsDraft(t *testing.T) {
	var o repository.Owners
	o.ReadResources("/r/app", map[string]any{"resources": []any{"used.template.yaml"}})
	o.Read("/r", "/r/ks.yaml", kustomization("owned", nil))
	for file, want := range map[string]bool{
		"/r/app/template.yaml": true, "/r/app/a.TMPL.yml": true, "/r/app/used.template.yaml": false,
		"/r/app/pod-template.yaml": false, "/r/app/template.json": false,
		"/r/owned/a.tpl.yaml": false, "/r/app/templates.yaml": false,
	} {
		if got := o.IsDraft(file); got != want {
			t.Errorf("%s is a draft: %v", file, got)
		}
	}
}
