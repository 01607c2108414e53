package repository

import (
	"path/filepath"
)

// Patches are the files that kustomizations name as patches or as settings of
// transformers. They are parts of objects.
type Patches map[string]bool

// Read adds what a kustomization in a folder names. Names are those of the file
// system, or anything else, e.g. the text of a patch.
func (p Patches) Read(folder string, kustomization map[string]any) {
	add := func(name any) {
		if text, ok := name.(string); ok && text != "" {
			p[filepath.Join(folder, filepath.FromSlash(text))] = true
		}
	}
	for _, key := range []string{"patches", "patchesJson6902", "replacements"} {
		for _, entry := range list(kustomization[key]) {
			if entry, ok := entry.(map[string]any); ok {
				add(entry["path"])
			}
		}
	}
	for _, key := range []string{
		"patchesStrategicMerge", "configurations", "transformers", "generators", "crds",
	} {
		for _, entry := range list(kustomization[key]) {
			add(entry)
		}
	}
}

func list(value any) []any {
	items, _ := value.([]any)
	return items
}
