package repository

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
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
	o.reached, o.hubs = nil, nil
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
		o.chains = map[reaching][][]string{}
		o.built = map[string][]*kustomization{}
		o.delivered = map[string]bool{}
		local := o.local()
		for _, k := range local {
			o.built[k.folder] = append(o.built[k.folder], k)
		}
		o.reached = o.followAll(local)
		o.plain = o.followAll(o.roots())
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

// followAll returns the Kustomizations that build files, by the files.
func (o *Owners) followAll(all []*kustomization) map[string][]*kustomization {
	reached := map[string][]*kustomization{}
	for _, k := range all {
		f := following{o, k, reached, map[string]int{}, map[string]bool{}}
		f.follow(k.folder, nil)
		f.components()
		if o.says[k.folder] == nil && typemeta.Of(k.object).Group == flux {
			for _, folder := range o.below(k.folder) {
				f.follow(folder, nil)
			}
		}
	}
	return reached
}

// local returns the Kustomizations without those that build the root of another
// repository: their source is not the one that most of the others have, or they
// are incomplete, e.g. patches for a script, and have none.
func (o *Owners) local() []*kustomization {
	source := func(k *kustomization) string {
		ref, _ := jsonvalue.At(k.object, "spec", "sourceRef").(map[string]any)
		t := texts(ref)
		return strings.TrimPrefix(t["kind"]+" "+t["name"], " ")
	}
	isWhole := func(k *kustomization) bool {
		return strings.Trim(k.path, "./") == "" && typemeta.Of(k.object).Group == flux
	}
	counts := map[string]int{}
	most := ""
	for _, k := range o.all {
		if of := source(k); of != "" && !isWhole(k) {
			if counts[of]++; counts[of] > counts[most] {
				most = of
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(o.all), func(k *kustomization) bool {
		of := source(k)
		return isWhole(k) && most != "" && of != most
	})
}

// below returns the folders below another one whose kustomizations Flux builds
// for it, if it has none itself: those that are not below one of them.
func (o *Owners) below(folder string) (all []string) {
	inside := strings.TrimSuffix(folder, string(filepath.Separator)) + string(filepath.Separator)
	for _, at := range slices.Sorted(maps.Keys(o.says)) {
		last := ""
		if len(all) > 0 {
			last = all[len(all)-1] + string(filepath.Separator)
		}
		if strings.HasPrefix(at, inside) && (last == "" || !strings.HasPrefix(at, last)) {
			all = append(all, at)
		}
	}
	return all
}

// following follows the ways from a Kustomization to files.
type following struct {
	*Owners

	from    *kustomization
	reached map[string][]*kustomization
	seen    map[string]int  // how often a path was reached
	on      map[string]bool // the folders of the current way
}

// maxWays bounds how often a path is reached from a Kustomization: each way is
// another object, e.g. one for each of two overlays of a base.
const maxWays = 8

// follow adds the Kustomization to the files that are reached from a path, by
// the folders on the way, the nearest first.
func (f *following) follow(path string, way []string) {
	if f.on[path] || f.seen[path] == maxWays {
		return
	}
	f.seen[path]++
	resources, isFolder := f.resources[path]
	if !isFolder {
		at := reaching{f.from, path}
		if len(f.chains[at]) == 0 {
			f.reached[path] = append(f.reached[path], f.from)
		}
		f.chains[at] = append(f.chains[at], way)
		return
	}
	f.on[path] = true
	f.delivered[path] = f.delivered[path] || !f.from.isRoot
	if f.says[path]["kind"] != "Component" { // it is part of what includes it
		way = append([]string{path}, way...)
	}
	for _, resource := range resources {
		f.follow(resource, way)
	}
	delete(f.on, path)
}

// components follows those that the Kustomization itself names: they are
// written into the kustomization of its folder.
func (f *following) components() {
	own := buildsOf(f.from.object)[f.from.path]
	if own == nil {
		return
	}
	var way []string
	if f.says[f.from.folder] != nil {
		way = []string{f.from.folder}
	}
	for _, name := range own.components {
		f.follow(filepath.Join(f.from.folder, filepath.FromSlash(name)), way)
	}
}

// Delivers reports whether Flux or Argo CD deliver what the kustomization of a
// folder builds.
func (o *Owners) Delivers(folder string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.reach("") // follows all
	return o.delivered[folder]
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
