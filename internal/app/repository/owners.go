package repository

import (
	"cmp"
	"maps"
	"path/filepath"
	"strings"
	"sync"

	"github.com/crdsem/crdsem/internal/base/typemeta"
)

// Owners are the Kustomizations of Flux and what they substitute in the files
// of their folders. Its methods may be called concurrently.
type Owners struct {
	mu      sync.Mutex
	folders map[string][]owner           // by absolute path
	maps    map[string]map[string]string // data of ConfigMaps, by name; nil if two differ
}

// owner is what one Kustomization substitutes.
type owner struct {
	values map[string]string
	from   []string // names of ConfigMaps
}

// flux is the group of the Kustomizations.
const flux = "kustomize.toolkit.fluxcd.io"

// MayOwn reports whether a document may have an object that Owners.Read uses.
func MayOwn(text string) bool {
	return strings.Contains(text, flux+"/") || strings.Contains(text, "kind: ConfigMap")
}

// Read adds an object of a repository, whose root its paths are relative to.
func (o *Owners) Read(root string, object map[string]any) {
	t := typemeta.Of(object)
	switch {
	case t.Group == flux && t.Kind == "Kustomization":
		o.readOwner(root, object)
	case t.Group == "" && t.Kind == "ConfigMap":
		_, name := typemeta.Name(object)
		o.readMap(name, texts(object["data"]))
	}
}

func (o *Owners) readOwner(root string, object map[string]any) {
	spec, _ := object["spec"].(map[string]any)
	path, _ := spec["path"].(string)
	build, ok := spec["postBuild"].(map[string]any)
	path = cmp.Or(strings.TrimPrefix(path, "/"), ".") // Flux reads the root without one
	if !ok || !filepath.IsLocal(filepath.FromSlash(path)) {
		return
	}
	found := owner{values: texts(build["substitute"])}
	for _, from := range objects(build["substituteFrom"]) {
		if name, ok := from["name"].(string); ok && from["kind"] == "ConfigMap" {
			found.from = append(found.from, name)
		}
	}
	folder := filepath.Join(root, filepath.FromSlash(path))
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.folders == nil {
		o.folders = map[string][]owner{}
	}
	o.folders[folder] = append(o.folders[folder], found)
}

func (o *Owners) readMap(name string, data map[string]string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.maps == nil {
		o.maps = map[string]map[string]string{}
	}
	if before, twice := o.maps[name]; twice && !maps.Equal(before, data) {
		data = nil
	}
	o.maps[name] = data
}

// texts returns the strings of an object.
func texts(value any) map[string]string {
	out := map[string]string{}
	object, _ := value.(map[string]any)
	for key, item := range object {
		if text, ok := item.(string); ok {
			out[key] = text
		}
	}
	return out
}

// Values returns what is substituted in a file: some values, which win, and
// those of the Kustomization that owns its folder, the nearest one at or above
// it. Values that several owners of the folder do not agree on are left out.
func (o *Owners) Values(file string, win map[string]string) map[string]string {
	owned := o.of(file)
	if owned == nil {
		return win
	}
	maps.Copy(owned, win)
	return owned
}

// of returns what the owners of a file substitute, nil if there are none.
func (o *Owners) of(file string) map[string]string {
	o.mu.Lock()
	defer o.mu.Unlock()
	for folder := filepath.Dir(file); ; folder = filepath.Dir(folder) {
		if owners, ok := o.folders[folder]; ok {
			return o.agreed(owners)
		}
		if folder == filepath.Dir(folder) {
			return nil
		}
	}
}

// agreed returns the values that all owners have.
func (o *Owners) agreed(owners []owner) map[string]string {
	var out map[string]string
	for _, one := range owners {
		values := map[string]string{}
		for _, name := range one.from {
			maps.Copy(values, o.maps[name])
		}
		maps.Copy(values, one.values)
		if out == nil {
			out = values
			continue
		}
		maps.DeleteFunc(out, func(key, value string) bool {
			other, ok := values[key]
			return !ok || other != value
		})
	}
	return out
}
