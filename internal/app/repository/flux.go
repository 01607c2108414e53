package repository

import (
	"context"
	"encoding/json"
	"maps"
	"regexp"
	"strings"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/base/typemeta"
	"github.com/crdsem/crdsem/kit/manifest"
)

// FluxPatch is an entry of spec.patches of a Kustomization of Flux.
type FluxPatch struct {
	// Index is that of the entry.
	Index int
	// Operations are those of a patch in JSON 6902, nil for any other patch.
	Operations []any
	// Objects are the documents of a strategic patch.
	Objects []*manifest.Document

	target map[string]any // nil if the objects say what they patch
	match  selector
}

// PatchesOf returns the patches of a Kustomization of Flux that can be read.
// The others are counted.
func PatchesOf(kustomization map[string]any) (all []FluxPatch, unread int) {
	if t := typemeta.Of(kustomization); t.Group != flux || t.Kind != "Kustomization" {
		return nil, 0
	}
	spec, _ := kustomization["spec"].(map[string]any)
	for i, entry := range list(spec["patches"]) {
		entry, _ := entry.(map[string]any)
		text, _ := entry["patch"].(string)
		p := FluxPatch{Index: i}
		p.target, _ = entry["target"].(map[string]any)
		if p.read(text) {
			all = append(all, p)
		} else {
			unread++
		}
	}
	return all, unread
}

// read reads the text of a patch.
func (p *FluxPatch) read(text string) bool {
	for doc, err := range manifest.Read("", strings.NewReader(text)) {
		if err != nil {
			return false
		}
		if _, _, err := doc.Object(); err == nil {
			p.Objects = append(p.Objects, doc)
			continue
		}
		value, _, err := jsonvalue.Decode(doc.Data)
		operations, ok := value.([]any)
		if err != nil || !ok {
			return false
		}
		p.Operations = append(p.Operations, operations...)
	}
	return p.match.read(p.target) && (p.Operations == nil) != (p.Objects == nil)
}

// Target returns the group, the version and the kind that the patch selects, as
// far as they are plain.
func (p *FluxPatch) Target() (group, version, kind string) {
	t := texts(p.target)
	return t["group"], t["version"], t["kind"]
}

// selector selects objects as kustomize does. Nil members select all.
type selector struct {
	group, version, kind, name, namespace *regexp.Regexp
	labels, annotations                   labels.Selector
}

func (s *selector) read(target map[string]any) bool {
	t := texts(target)
	ok := true
	for key, to := range map[string]**regexp.Regexp{
		"group": &s.group, "version": &s.version, "kind": &s.kind, "name": &s.name,
		"namespace": &s.namespace,
	} {
		if t[key] == "" {
			continue
		}
		compiled, err := regexp.Compile("^(?:" + t[key] + ")$")
		*to, ok = compiled, ok && err == nil
	}
	var errs [2]error
	s.labels, errs[0] = labels.Parse(t["labelSelector"])
	s.annotations, errs[1] = labels.Parse(t["annotationSelector"])
	return ok && errs == [2]error{}
}

func (s *selector) selects(object map[string]any) bool {
	t := typemeta.Of(object)
	namespace, name := typemeta.Name(object)
	for text, want := range map[*string]*regexp.Regexp{
		&t.Group: s.group, &t.Version: s.version, &t.Kind: s.kind, &name: s.name,
		&namespace: s.namespace,
	} {
		if want != nil && !want.MatchString(*text) {
			return false
		}
	}
	metadata, _ := object["metadata"].(map[string]any)
	return s.labels.Matches(labels.Set(texts(metadata["labels"]))) &&
		s.annotations.Matches(labels.Set(texts(metadata["annotations"])))
}

// patched is an object after patches.
type patched struct {
	object map[string]any
	// isPatched is set if a patch selects the object, isUnknown if one cannot
	// be applied without the schema of its kind, isDeleted if one deletes it.
	isPatched, isUnknown, isDeleted bool
}

// patch applies a patch, if it selects the object.
func (o *patched) patch(p *FluxPatch) {
	if p.Operations != nil {
		if p.match.selects(o.object) {
			o.isPatched = true
			o.apply(crdsem.JSONPatch, p.Operations)
		}
		return
	}
	for _, doc := range p.Objects {
		part, _, err := doc.Object()
		if err == nil && p.selects(part, o.object) {
			o.isPatched = true
			o.merge(part)
		}
	}
}

// selects reports whether a strategic patch is about an object.
func (p *FluxPatch) selects(part, object map[string]any) bool {
	if p.target != nil {
		return p.match.selects(object)
	}
	a, b := typemeta.Of(part), typemeta.Of(object)
	partSpace, partName := typemeta.Name(part)
	namespace, name := typemeta.Name(object)
	return a == b && partName == name &&
		(partSpace == "" || namespace == "" || partSpace == namespace)
}

// merge merges a strategic patch. Lists in custom resources are replaced; those
// of kinds that Kubernetes knows are merged by keys that are not known here.
func (o *patched) merge(part map[string]any) {
	if part["$patch"] == "delete" {
		o.isDeleted = true
		return
	}
	part = maps.Clone(part)
	for _, key := range []string{"apiVersion", "kind"} {
		delete(part, key)
	}
	if metadata, ok := part["metadata"].(map[string]any); ok {
		metadata = maps.Clone(metadata)
		delete(metadata, "name")
		delete(metadata, "namespace")
		part["metadata"] = metadata
	}
	if o.needsSchema(part) {
		o.isUnknown = true
		return
	}
	o.apply(crdsem.MergePatch, part)
}

// needsSchema reports whether only the schema of a kind says what a part of a
// strategic patch does.
func (o *patched) needsSchema(part any) bool {
	switch v := part.(type) {
	case map[string]any:
		for key, item := range v {
			if strings.HasPrefix(key, "$") || o.needsSchema(item) {
				return true
			}
		}
	case []any:
		if !strings.Contains(typemeta.Of(o.object).Group, ".") { // a built-in kind
			return true
		}
		for _, item := range v {
			if o.needsSchema(item) {
				return true
			}
		}
	}
	return false
}

func (o *patched) apply(language crdsem.PatchType, patch any) {
	text, err := json.Marshal(patch)
	if err == nil {
		var out map[string]any
		if out, err = language.Apply(context.Background(), o.object, text); err == nil {
			o.object = out
		}
	}
	o.isUnknown = o.isUnknown || err != nil
}
