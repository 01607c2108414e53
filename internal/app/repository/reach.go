package repository

import (
	"maps"
	"path/filepath"
	"slices"

	"github.com/crdsem/crdsem/internal/base/typemeta"
)

// ReadResources adds what a kustomization of kustomize in a folder names as its
// resources: files, and folders with kustomizations of their own. Flux builds
// them for the Kustomization whose path is the folder, also where they are
// elsewhere in the repository.
func (o *Owners) ReadResources(folder string, kustomization map[string]any) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.resources == nil {
		o.resources, o.named = map[string][]string{}, map[string]bool{}
		o.says, o.vars = map[string]map[string]any{}, map[string]bool{}
	}
	o.says[folder] = kustomization
	delete(o.own, folder)
	all := o.resources[folder]
	for _, key := range []string{"resources", "bases", "components"} {
		for _, entry := range list(kustomization[key]) {
			if name, ok := entry.(string); ok && name != "" {
				path := filepath.Join(folder, filepath.FromSlash(name))
				all, o.named[path] = append(all, path), true
			}
		}
	}
	o.resources[folder] = all
	for _, entry := range objects(kustomization["vars"]) {
		if name, ok := entry["name"].(string); ok && name != "" {
			o.vars[name] = true
		}
	}
	o.reached = nil
}

// reaching is the way from a Kustomization to a file.
type reaching struct {
	from *kustomization
	file string
}

// reach returns the Kustomizations that build a file, by the kustomizations of
// their folders.
func (o *Owners) reach(file string) []*kustomization {
	if o.reached == nil {
		o.reached, o.chains = map[string][]*kustomization{}, map[reaching][]string{}
		for _, k := range o.all {
			o.follow(k, k.folder, nil, map[string]bool{})
		}
		o.plain = o.reached
		o.reached = map[string][]*kustomization{}
		for _, root := range o.roots() {
			o.follow(root, root.folder, nil, map[string]bool{})
		}
		o.reached, o.plain = o.plain, o.reached
	}
	return o.reached[file]
}

// roots returns the kustomizations of kustomize that no other one includes.
// They are what is delivered without Flux and Argo CD.
func (o *Owners) roots() (all []*kustomization) {
	for _, folder := range slices.Sorted(maps.Keys(o.says)) {
		if says := o.says[folder]; !o.named[folder] && says["kind"] != "Component" {
			object := map[string]any{"kind": "kustomization", "metadata": map[string]any{
				"name": filepath.Base(folder),
			}}
			all = append(all, &kustomization{folder: folder, object: object, isRoot: true})
		}
	}
	return all
}

// follow adds a Kustomization to the files that are reached from a path, by the
// folders on the way, the nearest first.
func (o *Owners) follow(k *kustomization, path string, way []string, seen map[string]bool) {
	if seen[path] {
		return
	}
	seen[path] = true
	resources, isFolder := o.resources[path]
	if !isFolder {
		o.reached[path] = append(o.reached[path], k)
		o.chains[reaching{k, path}] = way
		return
	}
	if o.says[path]["kind"] != "Component" { // it is part of what includes it
		way = append([]string{path}, way...)
	}
	for _, resource := range resources {
		o.follow(k, resource, way, seen)
	}
}

// IsResource reports whether a kustomization names a file as a resource.
func (o *Owners) IsResource(file string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.named[file]
}

// Kustomized reports whether kustomize reads a file: a kustomization names it,
// or it is in a folder without one that Flux builds.
func (o *Owners) Kustomized(file string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.named[file] {
		return true
	}
	for _, by := range o.builders(file) {
		_, hasOwn := o.resources[by.folder]
		if !hasOwn && typemeta.Of(by.object).Group == flux {
			return true
		}
	}
	return false
}
