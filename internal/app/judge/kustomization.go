package judge

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/crdsem/crdsem/internal/app/repository"
	"github.com/crdsem/crdsem/internal/app/verdict"
	"github.com/crdsem/crdsem/internal/base/typemeta"
	"github.com/crdsem/crdsem/kit/manifest"
)

// namedIn returns the findings on names in a kustomization: of files and
// folders that are outside of the repository and are not read, and of those
// that kustomize cannot read.
func (p *Repository) namedIn(file string, o manifest.Object) (found []verdict.Finding) {
	f := &Finder{Document: o.Document}
	for _, named := range repository.NamesIn(o.Content) {
		severity, text := verdict.Error, ""
		switch {
		case p.Outside != nil && p.Outside(file, named.Name):
			text = named.Name + " is outside of the repository, and is not read"
		case p.Absent != nil:
			severity, text = p.Absent(file, named)
		}
		if text != "" {
			found = append(found, f.at(severity, o.Document.Find(named.At).Value, text))
		}
	}
	return found
}

// idlePatches returns the findings on patches in a kustomization that say of
// which object they are, if that is not among its resources. kustomize refuses
// them; a patch with a target may select nothing.
func (p *Repository) idlePatches(file string, o manifest.Object) (found []verdict.Finding) {
	if p.Documents == nil || o.Content["kind"] == "Component" {
		return nil
	}
	folder := filepath.Dir(file)
	all := &delivered{documents: p.Documents, isKnown: true}
	all.add(folder, o.Content, maxNested)
	if !all.isKnown || len(all.objects) == 0 { // it is incomplete, e.g. patches for a script
		return nil
	}
	f := &Finder{Document: o.Document}
	for _, patch := range repository.UntargetedIn(o.Content) {
		for _, object := range p.objectsOf(folder, &patch) {
			if all.has(object) {
				continue
			}
			_, name := typemeta.Name(object)
			found = append(found, f.at(verdict.Error, o.Document.Find(patch.At).Value, fmt.Sprintf(
				"none of the resources is the %s %s %s that is patched: kustomize refuses that",
				object["apiVersion"], object["kind"], name)))
		}
	}
	return found
}

// objectsOf returns the objects in a patch of a kustomization in a folder, as
// far as it says what they are.
func (p *Repository) objectsOf(folder string, named *repository.Named) (all []map[string]any) {
	add := func(object map[string]any) {
		_, name := typemeta.Name(object)
		isTyped := object["kind"] != nil && object["apiVersion"] != nil
		if isTyped && name != "" && !strings.ContainsAny(name, "${") {
			all = append(all, object)
		}
	}
	patch := repository.Part{}.PatchOfText(named.Name)
	for i := range patch.Objects {
		add(patch.Part(i))
	}
	if patch.Err == nil || !named.IsLocal() {
		return all
	}
	for _, doc := range p.Documents(filepath.Join(folder, filepath.FromSlash(named.Name))) {
		object, _, _ := doc.Object() // nil with an error
		add(object)
	}
	return all
}

// delivered are the objects that kustomizations deliver.
type delivered struct {
	documents func(path string) []*manifest.Document
	objects   []map[string]any
	isRenamed bool // names have prefixes or suffixes
	isKnown   bool // nothing else delivers objects, e.g. a generator
}

// unlisted are the keys of a kustomization that make objects which its
// resources do not list, or give them other names.
var unlisted = []string{
	"generators", "transformers", "helmCharts", "helmChartInflationGenerator", "replacements",
}

// add adds what a kustomization in a folder delivers.
func (d *delivered) add(folder string, kustomization map[string]any, depth int) {
	for _, key := range unlisted {
		d.isKnown = d.isKnown && (kustomization[key] == nil)
	}
	for _, key := range []string{"namePrefix", "nameSuffix"} {
		d.isRenamed = d.isRenamed || kustomization[key] != nil
	}
	for key, kind := range map[string]string{
		"configMapGenerator": "ConfigMap", "secretGenerator": "Secret",
	} {
		list, _ := kustomization[key].([]any)
		for _, entry := range list {
			fields, _ := entry.(map[string]any)
			d.objects = append(d.objects, map[string]any{
				"apiVersion": "v1", "kind": kind, "metadata": map[string]any{"name": fields["name"]},
			})
		}
	}
	for _, named := range repository.NamesIn(kustomization) {
		key, _, _ := strings.Cut(named.At, "[")
		if !slices.Contains([]string{"resources", "bases", "components"}, key) {
			continue
		}
		d.isKnown = d.isKnown && depth > 0 && named.IsLocal()
		if d.isKnown {
			d.read(filepath.Join(folder, filepath.FromSlash(named.Name)), depth-1)
		}
	}
}

// read adds the objects of a file, or of the kustomization in a folder.
func (d *delivered) read(path string, depth int) {
	docs := d.documents(path)
	d.isKnown = d.isKnown && len(docs) > 0
	for _, doc := range docs {
		object, _, err := doc.Object()
		items, isList := object["items"].([]any)
		switch {
		case err != nil:
			d.isKnown = false
		case repository.IsKustomization(object) || object["kind"] == nil:
			d.add(path, object, depth)
		case isList:
			for _, item := range items {
				fields, _ := item.(map[string]any)
				d.objects = append(d.objects, fields)
			}
		default:
			d.objects = append(d.objects, object)
		}
	}
}

// has reports whether an object is among those that are delivered.
func (d *delivered) has(object map[string]any) bool {
	_, wanted := typemeta.Name(object)
	return slices.ContainsFunc(d.objects, func(other map[string]any) bool {
		_, name := typemeta.Name(other)
		isSame := name == wanted || d.isRenamed && strings.Contains(wanted, name)
		return isSame && typemeta.Of(other) == typemeta.Of(object)
	})
}
