package engine

import (
	"io"
	"iter"
	"os"
	"strings"

	"github.com/crdsem/crdsem/internal/app/judge"
	"github.com/crdsem/crdsem/internal/app/verdict"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/base/typemeta"
	"github.com/crdsem/crdsem/kit/manifest"
)

// maxPatch is how many bytes of a patch are read.
const maxPatch = 1 << 20

// readConversions remembers the definitions to which a kustomization gives a
// conversion webhook by a patch: in a file, or in its own text.
func (p *Repo) readConversions(folder string, kustomization map[string]any) {
	var named []string
	for _, key := range []string{"patches", "patchesStrategicMerge"} {
		entries, _ := kustomization[key].([]any)
		for _, entry := range entries {
			switch e := entry.(type) {
			case string:
				named = append(named, e)
			case map[string]any:
				path, _ := e["path"].(string)
				text, _ := e["patch"].(string)
				named = append(named, path)
				p.addConversions(objectsIn(text))
			}
		}
	}
	for _, name := range named {
		text, ok := p.readNamed(folder, name)
		if ok && name != "" {
			p.addConversions(objectsIn(text))
		}
	}
}

// objectsIn yields the objects in the text of a patch.
func objectsIn(text string) iter.Seq[map[string]any] {
	return func(yield func(map[string]any) bool) {
		for o, err := range manifest.Parse("patch", strings.NewReader(text)) {
			if err != nil || !yield(o.Content) {
				return
			}
		}
	}
}

// readPatch returns the text of a file. ok is false if it is none.
func readPatch(path string) (text string, ok bool) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return "", false
	}
	file, err := os.Open(path)
	if err != nil {
		return "", false
	}
	defer file.Close()
	read, err := io.ReadAll(io.LimitReader(file, maxPatch))
	return string(read), err == nil
}

// addConversions remembers the definitions that patches give a webhook.
func (p *Repo) addConversions(patches iter.Seq[map[string]any]) {
	for patch := range patches {
		_, name := typemeta.Name(patch)
		if manifest.IsDefinition(patch) && name != "" &&
			jsonvalue.At(patch, "spec", "conversion", "strategy") == "Webhook" {
			p.converted[name] = true
		}
	}
}

// dropStorage drops the findings about fields that storage loses without
// conversion, if a kustomization adds a webhook.
func (p *Repo) dropStorage(r *verdict.Result) {
	if p.converted[r.Name] {
		judge.Drop(r, func(f *verdict.Finding) bool { return f.Rule == "LINT-storage" })
	}
}
