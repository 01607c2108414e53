package repository

import (
	"path/filepath"
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
	}
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
	o.reached = nil
}

// reach returns the Kustomizations that build a file, by the kustomizations of
// their folders.
func (o *Owners) reach(file string) []*kustomization {
	if o.reached == nil {
		o.reached = map[string][]*kustomization{}
		for _, k := range o.all {
			seen := map[string]bool{}
			o.follow(k, k.folder, seen)
		}
	}
	return o.reached[file]
}

// follow adds a Kustomization to the files that are reached from a path.
func (o *Owners) follow(k *kustomization, path string, seen map[string]bool) {
	if seen[path] {
		return
	}
	seen[path] = true
	resources, isFolder := o.resources[path]
	if !isFolder {
		o.reached[path] = append(o.reached[path], k)
		return
	}
	for _, resource := range resources {
		o.follow(k, resource, seen)
	}
}

// IsResource reports whether a kustomization names a file as a resource.
func (o *Owners) IsResource(file string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.named[file]
}
