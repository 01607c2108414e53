package repository

import (
	"path/filepath"
)

// Labelled are the files and folders whose objects get labels of a
// kustomization, also in their selectors. An object that has no selector itself
// is then complete.
type Labelled map[string]bool

// Read adds the resources of a kustomization in a folder, if it labels
// selectors.
func (l Labelled) Read(folder string, kustomization map[string]any) {
	common, _ := kustomization["commonLabels"].(map[string]any)
	labels := len(common) > 0
	for _, entry := range objects(kustomization["labels"]) {
		labels = labels || entry["includeSelectors"] == true
	}
	if !labels {
		return
	}
	for _, key := range []string{"resources", "bases", "components"} {
		for _, entry := range list(kustomization[key]) {
			if name, ok := entry.(string); ok && name != "" {
				l[filepath.Join(folder, filepath.FromSlash(name))] = true
			}
		}
	}
}

// Has reports whether a file is one of them, or below one of the folders.
func (l Labelled) Has(file string) bool {
	if len(l) == 0 {
		return false
	}
	for !l[file] {
		folder := filepath.Dir(file)
		if folder == file {
			return false
		}
		file = folder
	}
	return true
}
