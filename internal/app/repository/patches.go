package repository

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Patches are the files that kustomizations name as patches or as settings of
// transformers, by their paths. They are parts of objects.
type Patches map[string]Part

// Part is what a kustomization does with a file.
type Part struct {
	merged bool   // into objects, as a strategic patch
	kind   string // of the objects, empty if it is that of the patch
	// target selects the objects; nil if the patch says what it is about, or if
	// isAmbiguous is set: the file is named in several ways.
	target      map[string]any
	isAmbiguous bool
	isPatch     bool // named as a patch, which may be in JSON 6902
}

// Read adds what a kustomization in a folder names. Names are those of the file
// system, or anything else, e.g. the text of a patch.
func (p Patches) Read(folder string, kustomization map[string]any) {
	add := func(name any, part Part) {
		text, ok := name.(string)
		if !ok || text == "" {
			return
		}
		path := filepath.Join(folder, filepath.FromSlash(text))
		known, twice := p[path]
		isOther := known.isAmbiguous || known.merged != part.merged || known.kind != part.kind
		if twice && isOther {
			part = Part{isAmbiguous: true}
		}
		p[path] = part
	}
	for _, entry := range objects(kustomization["patches"]) {
		target, _ := entry["target"].(map[string]any)
		kind, _ := target["kind"].(string)
		add(entry["path"], Part{merged: true, kind: kind, target: target, isPatch: true})
	}
	for _, entry := range objects(kustomization["patchesJson6902"]) {
		target, _ := entry["target"].(map[string]any)
		add(entry["path"], Part{target: target, isPatch: true})
	}
	for _, entry := range objects(kustomization["replacements"]) {
		add(entry["path"], Part{})
	}
	// Old kustomizations have names of files in patches, too.
	for _, key := range []string{"patchesStrategicMerge", "patches"} {
		for _, entry := range list(kustomization[key]) {
			add(entry, Part{merged: true, isPatch: true})
		}
	}
	for _, key := range []string{"configurations", "transformers", "generators", "crds"} {
		for _, entry := range list(kustomization[key]) {
			add(entry, Part{})
		}
	}
}

// Spare adds the files of the folder named patches next to a kustomization that
// it does not name: scaffolds write more patches than are used. So does it with
// other folders below that have nothing but patches. namesIn returns the names
// of the files in a folder.
func (p Patches) Spare(
	folder string, kustomization map[string]any, namesIn func(folder string) []string,
) {
	used, shared := map[string]bool{}, map[string]bool{}
	for _, entry := range list(kustomization["resources"]) {
		name, _ := entry.(string)
		path := filepath.Join(folder, filepath.FromSlash(name))
		used[path], shared[filepath.Dir(path)] = true, true
	}
	patches := filepath.Join(folder, PatchFolder)
	folders := map[string]bool{patches: true}
	for _, name := range namesIn(folder) { // e.g. manager_auth_proxy_patch.yaml
		path := filepath.Join(folder, name)
		if _, known := p[path]; !known && !used[path] && isPatchName.MatchString(name) {
			p[path] = Part{merged: true}
		}
	}
	for _, entry := range objects(kustomization["patches"]) {
		name, _ := entry["path"].(string)
		at := filepath.Dir(filepath.FromSlash(name))
		if path := filepath.Join(folder, at); at != "." && filepath.IsLocal(at) && !shared[path] {
			folders[path] = true
		}
	}
	for at := range folders {
		names := namesIn(at)
		isOwn := func(name string) bool { return slices.Contains(Kustomizations, name) }
		if at != patches && slices.ContainsFunc(names, isOwn) {
			continue
		}
		for _, name := range names {
			path := filepath.Join(at, name)
			if _, known := p[path]; !known && !used[path] {
				p[path] = Part{merged: true}
			}
		}
	}
}

// isPatchName matches the names of files that scaffolds give to patches.
var isPatchName = regexp.MustCompile(`(?i)(^|[-_.])patch([-_.].*)?\.ya?ml$`)

// PatchFolder is the name of the folder that has patches.
const PatchFolder = "patches"

func list(value any) []any {
	items, _ := value.([]any)
	return items
}

// objects returns the objects in a list.
func objects(value any) (all []map[string]any) {
	for _, item := range list(value) {
		if entry, ok := item.(map[string]any); ok {
			all = append(all, entry)
		}
	}
	return all
}

// Object returns the part of an object that a strategic patch says: without
// directives such as $patch, and without nulls, which remove a value. ok is
// false if the patch is not known to be one of objects of its own kind. The
// patch is not changed.
func (p Part) Object(patch map[string]any) (object map[string]any, ok bool) {
	if !p.merged || p.kind != "" && p.kind != patch["kind"] {
		return nil, false
	}
	return WithoutDirectives(patch), true
}

// WithoutDirectives returns what a strategic patch says without its directives
// and nulls. The patch is not changed.
func WithoutDirectives(patch map[string]any) map[string]any {
	return withoutDirectives(patch).(map[string]any)
}

func withoutDirectives(value any) any {
	switch v := value.(type) {
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = withoutDirectives(item)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, item := range v {
			if item != nil && !strings.HasPrefix(key, "$") {
				out[key] = withoutDirectives(item)
			}
		}
		return out
	}
	return value
}

// Named is a name of a file or a folder in a kustomization, with its path.
type Named struct{ At, Name string }

// IsLocal reports whether the name is that of the file system, and not an
// address, e.g. of a repository of git, nor one with a variable.
func (n Named) IsLocal() bool {
	return !filepath.IsAbs(n.Name) && !slices.ContainsFunc([]string{
		"://", "::", "@", "?", "github.com", "gh:", "$", "{{",
	}, func(sign string) bool { return strings.Contains(n.Name, sign) })
}

// Builds reports whether kustomize builds what has the name, which may be a
// folder then.
func (n Named) Builds() bool {
	key, _, _ := strings.Cut(n.At, "[")
	return slices.Contains([]string{
		"resources", "bases", "components", "generators", "transformers", "validators",
	}, key)
}

// UntargetedIn returns the patches of a kustomization that have no target. The
// name is that of the file, or the text of the patch.
func UntargetedIn(kustomization map[string]any) (all []Named) {
	for _, key := range []string{"patches", "patchesStrategicMerge"} {
		for i, entry := range list(kustomization[key]) {
			at := fmt.Sprintf("%s[%d]", key, i)
			if name, ok := entry.(string); ok {
				all = append(all, Named{at, name})
			}
			fields, _ := entry.(map[string]any)
			for _, part := range []string{"path", "patch"} {
				name, ok := fields[part].(string)
				if ok && fields["target"] == nil && name != "" {
					all = append(all, Named{at + "." + part, name})
				}
			}
		}
	}
	return all
}

// NamesIn returns the names of the files and folders that a kustomization
// reads.
func NamesIn(kustomization map[string]any) (all []Named) {
	for _, key := range []string{
		"resources", "bases", "components", "crds", "configurations", "generators",
		"transformers", "validators", "patchesStrategicMerge", "patches", "patchesJson6902",
		"replacements",
	} {
		for i, entry := range list(kustomization[key]) {
			at := fmt.Sprintf("%s[%d]", key, i)
			name, _ := entry.(string)
			if fields, ok := entry.(map[string]any); ok {
				name, _ = fields["path"].(string)
				at += ".path"
			}
			if name != "" && !strings.Contains(name, "\n") {
				all = append(all, Named{at, name})
			}
		}
	}
	return all
}
