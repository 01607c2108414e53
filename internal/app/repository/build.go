package repository

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/base/typemeta"
	"github.com/crdsem/crdsem/kit/manifest"
)

// build is what one kustomization does to objects. Kustomizations of Flux and
// Applications of Argo CD are read as kustomizations of kustomize.
type build struct {
	patches []Patch
	late    []Patch // in JSON 6902, which come after names and labels
	unread  int     // patches that cannot be read
	// says is a kustomization, in the words of kustomize.
	says map[string]any
	// common is spec.commonMetadata of a Kustomization of Flux, which is put on
	// top of everything.
	common    map[string]any
	directory *directory // of an Application, nil for others
	// components are the folders of components, which come first.
	components []string
	// opaque select the objects that are changed in a way that is not followed
	// here: by replacements and transformers.
	opaque []selector
}

// over returns what a kustomization does into which a Kustomization of Flux or
// an Application writes what it says itself, as both do.
func (b *build) over(own *build) *build {
	out := *own
	out.patches = slices.Concat(own.patches, b.patches)
	out.late = slices.Concat(own.late, b.late)
	out.components = slices.Concat(own.components, b.components)
	out.opaque = slices.Concat(own.opaque, b.opaque)
	out.unread += b.unread
	out.common = b.common
	out.says = maps.Clone(own.says)
	for key, value := range b.says {
		switch {
		case value == nil || value == "":
		case key == "images" || key == "replicas":
			out.says[key] = byName(own.says[key], value)
		case key == "labels":
			out.says[key] = slices.Concat(list(own.says[key]), list(value))
		case strings.HasPrefix(key, "common"):
			pairs, _ := own.says[key].(map[string]any)
			all := maps.Clone(pairs)
			if all == nil {
				all = map[string]any{}
			}
			added, _ := value.(map[string]any)
			maps.Copy(all, added)
			out.says[key] = all
		default:
			out.says[key] = value
		}
	}
	return &out
}

// byName returns a list with the entries of another one in place of those of
// the same names.
func byName(own, others any) []any {
	out := slices.Clone(list(own))
	for _, other := range list(others) {
		name := texts(other)["name"]
		at := slices.IndexFunc(out, func(entry any) bool { return texts(entry)["name"] == name })
		if at < 0 {
			out = append(out, other)
			continue
		}
		out[at] = other
	}
	return out
}

// argo is the group of Applications.
const argo = "argoproj.io"

// buildsOf returns what a Kustomization of Flux does, or the sources of an
// Application or ApplicationSet of Argo CD, by their folders. Of other objects
// it returns nothing.
func buildsOf(object map[string]any) map[string]*build {
	t := typemeta.Of(object)
	out := map[string]*build{}
	if t.Group == flux && t.Kind == "Kustomization" {
		spec, _ := object["spec"].(map[string]any)
		path, _ := spec["path"].(string)
		out[path] = fluxBuild(spec)
	}
	if t.Group == fluxOperator && t.Kind == "FluxInstance" {
		path, ok := jsonvalue.At(object, "spec", "sync", "path").(string)
		if ok {
			out[path] = &build{}
		}
	}
	sources := argoSources(object)
	for _, at := range jsonvalue.SortedKeys(sources) {
		source := sources[at]
		path, ok := source["path"].(string)
		if !ok || source["chart"] != nil || strings.Contains(path, "{{") {
			continue
		}
		out[path] = argoBuild(at, source)
		out[path].directory = directoryOf(source)
	}
	return out
}

// fluxBuild returns what a Kustomization of Flux does.
func fluxBuild(spec map[string]any) *build {
	b := &build{says: map[string]any{"namespace": spec["targetNamespace"]}}
	for _, key := range []string{"namePrefix", "nameSuffix", "images"} {
		b.says[key] = spec[key]
	}
	b.common, _ = spec["commonMetadata"].(map[string]any)
	b.components = names(spec["components"])
	b.addPatches("spec.", spec, nil)
	return b
}

// argoSources returns the sources of an Application or ApplicationSet by their
// paths.
func argoSources(object map[string]any) map[string]map[string]any {
	t := typemeta.Of(object)
	spec, _ := object["spec"].(map[string]any)
	at := "spec."
	switch {
	case t.Group != argo:
		return nil
	case t.Kind == "ApplicationSet":
		spec, _ = jsonvalue.At(spec, "template", "spec").(map[string]any)
		at = "spec.template.spec."
	case t.Kind != "Application":
		return nil
	}
	out := map[string]map[string]any{}
	if source, ok := spec["source"].(map[string]any); ok {
		out[at+"source"] = source
	}
	for i, source := range objects(spec["sources"]) {
		out[fmt.Sprintf("%ssources[%d]", at, i)] = source
	}
	return out
}

// argoBuild returns what a source of an Application does.
func argoBuild(at string, source map[string]any) *build {
	given, _ := source["kustomize"].(map[string]any)
	b := &build{says: map[string]any{}}
	for _, key := range []string{
		"namespace", "namePrefix", "nameSuffix", "commonAnnotations", "replicas",
	} {
		b.says[key] = given[key]
	}
	var images []any
	for _, text := range names(given["images"]) {
		images = append(images, argoImage(text))
	}
	b.says["images"] = images
	if given["labelWithoutSelector"] == true {
		b.says["labels"] = []any{map[string]any{
			"pairs": given["commonLabels"], "includeTemplates": given["labelIncludeTemplates"],
		}}
	} else {
		b.says["commonLabels"] = given["commonLabels"]
	}
	b.components = names(given["components"])
	b.addPatches(at+".kustomize.", given, nil)
	return b
}

// argoImage returns an image of kustomize for one of an Application, e.g.
// old=registry.example.com/new:1.2.
func argoImage(text string) map[string]any {
	name, image, renames := strings.Cut(text, "=")
	if !renames {
		image = name
	}
	out := map[string]any{}
	if before, digest, ok := strings.Cut(image, "@"); ok {
		image, out["digest"] = before, digest
	} else if at := strings.LastIndexByte(image, ':'); at > strings.LastIndexByte(image, '/') {
		image, out["newTag"] = image[:at], image[at+1:]
	}
	out["name"] = image
	if renames {
		out["name"], out["newName"] = name, image
	}
	return out
}

// kustomizeBuild returns what a kustomization does. files returns the text of a
// file that it names.
func kustomizeBuild(says map[string]any, files func(name string) (string, bool)) *build {
	b := &build{says: says, components: names(says["components"])}
	b.addOpaque(files)
	b.addPatches("", says, files)
	return b
}

// addOpaque adds the objects that transformers and replacements change.
func (b *build) addOpaque(files func(name string) (string, bool)) {
	add := func(target map[string]any) {
		var s selector
		if s.read(target) == nil { // otherwise kustomize refuses it
			b.opaque = append(b.opaque, s)
		}
	}
	if len(list(b.says["transformers"])) > 0 {
		add(nil)
	}
	for _, entry := range objects(b.says["replacements"]) {
		targets := objects(entry["targets"])
		if name, ok := entry["path"].(string); ok {
			text, _ := files(name)
			for doc, err := range manifest.Read("", strings.NewReader(text)) {
				if err != nil {
					break
				}
				object, _, _ := doc.Object() // without targets if it is none
				targets = append(targets, objects(object["targets"])...)
			}
		}
		for _, target := range targets {
			selects, _ := target["select"].(map[string]any)
			add(selects)
		}
	}
}

// addPatches adds the patches of an object: their texts, and those of the files
// that it names.
func (b *build) addPatches(
	at string, of map[string]any, files func(name string) (string, bool),
) {
	for _, key := range patchKeys {
		for _, p := range patchesIn(at, key, of, files) {
			switch {
			case p.Err != nil:
				b.unread++
			case key == "patchesJson6902":
				b.late = append(b.late, p)
			default:
				b.patches = append(b.patches, p)
			}
		}
	}
}

// placeIn says in which file the patches are, or in the kustomization of which
// folder.
func (b *build) placeIn(file string) {
	for _, all := range [][]Patch{b.patches, b.late} {
		for i := range all {
			p := &all[i]
			p.File, p.IsFile = file, p.name != ""
			if p.IsFile {
				p.File = filepath.Join(file, filepath.FromSlash(p.name))
			}
		}
	}
}

// patchKeys are the keys of patches, in the order in which they are applied.
var patchKeys = []string{"patchesStrategicMerge", "patches", "patchesJson6902"}

var errNoFile = errors.New("there is no such file")

// patchesIn returns the patches of a key of an object: their texts, and if
// files is not nil, those of the files that the object names.
func patchesIn(
	at, key string, of map[string]any, files func(name string) (string, bool),
) (all []Patch) {
	for i, entry := range list(of[key]) {
		path := fmt.Sprintf("%s%s[%d]", at, key, i)
		fields, _ := entry.(map[string]any)
		target, _ := fields["target"].(map[string]any)
		name, isText := entry.(string) // of a file, or a text
		if name == "" {
			name, _ = fields["path"].(string)
		}
		p, ok := Patch{}, true
		switch text := fields["patch"].(type) {
		case string:
			p = newPatch(path+".patch", text, target)
		case []any, map[string]any: // of Flux before v1
			p, ok = plainPatch(path, text, target)
		default:
			switch {
			case isText && strings.Contains(name, "\n"):
				p = newPatch(path, name, nil)
			case name != "" && files != nil:
				text, found := files(name)
				if p = newPatch(path, text, target); !found {
					p.Err = errNoFile
				}
				p.name = name
			case name == "" && fields != nil && key == "patchesStrategicMerge":
				p, ok = plainPatch(path, entry, nil)
			default:
				ok = false
			}
		}
		options, _ := fields["options"].(map[string]any)
		p.mayRename = options["allowNameChange"] == true
		p.mayRetype = options["allowKindChange"] == true
		if ok {
			all = append(all, p)
		}
	}
	return all
}

// plainPatch returns a patch that is no text, but a part of the object.
func plainPatch(at string, value any, target map[string]any) (p Patch, ok bool) {
	text, err := jsonvalue.EncodeJSON(value)
	if err != nil {
		return p, false
	}
	return newPatch(at, string(text), target), true
}

// PatchesIn returns the patches whose texts are in a kustomization, a
// Kustomization of Flux, or an Application or ApplicationSet of Argo CD.
func PatchesIn(object map[string]any) (all []Patch) {
	in := func(at string, of map[string]any) {
		for _, key := range patchKeys {
			all = append(all, patchesIn(at, key, of, nil)...)
		}
	}
	t := typemeta.Of(object)
	spec, _ := object["spec"].(map[string]any)
	switch {
	case t.Group == flux && t.Kind == "Kustomization":
		in("spec.", spec)
	case IsKustomization(object):
		in("", object)
	}
	sources := argoSources(object)
	for _, at := range jsonvalue.SortedKeys(sources) {
		of, _ := sources[at]["kustomize"].(map[string]any)
		in(at+".kustomize.", of)
	}
	return all
}

// IsKustomization reports whether an object is what kustomize reads: a
// kustomization or a component, whose apiVersion may be missing.
func IsKustomization(object map[string]any) bool {
	t := typemeta.Of(object)
	isKind := slices.Contains([]string{"Kustomization", "Component"}, t.Kind)
	return isKind && (t.Group == "kustomize.config.k8s.io" || object["apiVersion"] == nil)
}

// names returns the strings of a list.
func names(value any) (all []string) {
	for _, item := range list(value) {
		if text, ok := item.(string); ok {
			all = append(all, text)
		}
	}
	return all
}
