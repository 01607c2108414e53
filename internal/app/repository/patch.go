package repository

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/crdsem/crdsem/internal/base/typemeta"
	"github.com/crdsem/crdsem/kit/manifest"
)

// Patch is a patch that kustomize applies: of a kustomization, of a
// Kustomization of Flux, or of an Application of Argo CD.
type Patch struct {
	// At is the path of the text of the patch in its object, e.g.
	// spec.patches[0].patch.
	At string
	// File is the file of the object, or the folder of a kustomization. It is
	// empty if it is not known.
	File string
	// IsFile is set if File is the patch itself, which the object names.
	IsFile bool
	// Operations are those of a patch in JSON 6902, nil for any other patch.
	Operations []any
	// Objects are the documents of a strategic patch.
	Objects []*manifest.Document
	// Err says why the patch cannot be read.
	Err error

	name   string // of the file, as the object names it
	text   string
	parts  []map[string]any // of Objects
	target map[string]any   // nil if the objects say what they patch
	match  selector
	places func() []manifest.Position // of Operations; found once
	// mayRename and mayRetype let a strategic patch change the name and the
	// kind of an object.
	mayRename, mayRetype bool
}

// newPatch reads the text of a patch.
func newPatch(at, text string, target map[string]any) Patch {
	p := Patch{At: at, text: text, target: target}
	p.places = sync.OnceValue(func() []manifest.Position { return itemsOfText(text) })
	p.Err = p.read(text)
	return p
}

// Part returns the object of a document of a strategic patch, by its index.
func (p *Patch) Part(index int) map[string]any { return p.parts[index] }

// Text returns the text of the patch.
func (p *Patch) Text() string { return p.text }

// IsOpen reports whether the text of the patch is not the one that is applied:
// it has a variable or an action of a template.
func (p *Patch) IsOpen() bool {
	return strings.Contains(p.text, "${") || strings.Contains(p.text, "{{")
}

// Operation returns the place of an operation in the text of the patch.
func (p *Patch) Operation(index int) manifest.Position {
	if p.places != nil {
		if places := p.places(); index < len(places) {
			return places[index]
		}
	}
	return manifest.Position{Line: 1, Column: 1}
}

// itemsOfText returns the places of the items of a list in YAML.
func itemsOfText(text string) (all []manifest.Position) {
	var root yaml.Node
	if err := yaml.Unmarshal([]byte(text), &root); err != nil || len(root.Content) == 0 {
		return nil
	}
	for _, item := range root.Content[0].Content {
		all = append(all, manifest.Position{Line: item.Line, Column: item.Column})
	}
	return all
}

// PatchOfText returns a patch in JSON 6902 of a file, by the target that a
// kustomization names for it.
func (p Part) PatchOfText(text string) Patch { return newPatch("", text, p.target) }

// HasOperations reports whether a file that is a list may be a patch in JSON
// 6902 with a known target: kustomizations do not name it in several ways.
func (p Part) HasOperations() bool { return p.isPatch && !p.isAmbiguous }

var (
	errNoPatch  = errors.New("it is neither an object nor a list of operations")
	errNoTarget = errors.New("a list of operations needs a target")
	errFlow     = errors.New("kustomize reads a list that begins with [ as JSON, which it is not")
	errSeveral  = errors.New("a patch with a target is one object, and these are several")
)

// read reads the text of a patch.
func (p *Patch) read(text string) error {
	for doc, err := range manifest.Read("", strings.NewReader(text)) {
		if errors.Is(err, manifest.ErrEmpty) {
			continue
		}
		if err != nil {
			return err
		}
		value, err := decodePatch(doc.Data)
		if err != nil {
			return err
		}
		switch v := value.(type) {
		case map[string]any:
			p.Objects, p.parts = append(p.Objects, doc), append(p.parts, v)
		case []any:
			p.Operations = append(p.Operations, v...)
		default:
			return errNoPatch
		}
	}
	switch {
	case (p.Operations == nil) == (p.Objects == nil):
		return errNoPatch
	case p.Operations != nil && p.target == nil:
		return errNoTarget
	case p.Operations != nil && strings.HasPrefix(text, "[") && !json.Valid([]byte(text)):
		return errFlow
	case len(p.parts) > 1 && p.target != nil:
		return errSeveral
	}
	return p.match.read(p.target)
}

// Target returns the group, the version and the kind that the patch selects, as
// far as they are plain.
func (p *Patch) Target() (group, version, kind string) {
	t := texts(p.target)
	return t["group"], t["version"], t["kind"]
}

// selector selects objects as kustomize does. Nil members select all.
type selector struct {
	group, version, kind, name, namespace *regexp.Regexp
	labels, annotations                   labels.Selector
}

func (s *selector) read(target map[string]any) error {
	t := texts(target)
	for _, of := range []struct {
		key string
		to  **regexp.Regexp
	}{
		{"group", &s.group}, {"version", &s.version}, {"kind", &s.kind}, {"name", &s.name},
		{"namespace", &s.namespace},
	} {
		if t[of.key] == "" {
			continue
		}
		compiled, err := regexp.Compile("^(?:" + t[of.key] + ")$")
		if err != nil {
			return fmt.Errorf("target.%s: %w", of.key, err)
		}
		*of.to = compiled
	}
	var err error
	if s.labels, err = labels.Parse(t["labelSelector"]); err != nil {
		return fmt.Errorf("target.labelSelector: %w", err)
	}
	if s.annotations, err = labels.Parse(t["annotationSelector"]); err != nil {
		return fmt.Errorf("target.annotationSelector: %w", err)
	}
	return nil
}

// selects reports whether the selector selects an object. Its name and its
// namespace may be those of the object or those that it had in its file.
func (s *selector) selects(o *patched) bool {
	t, now := typemeta.Of(o.object), o.identity()
	first := now
	if len(o.before) > 0 {
		first = o.before[0]
	}
	for text, want := range map[*string]*regexp.Regexp{
		&t.Group: s.group, &t.Version: s.version, &t.Kind: s.kind,
	} {
		if want != nil && !want.MatchString(*text) {
			return false
		}
	}
	either := func(want *regexp.Regexp, a, b string) bool {
		return want == nil || want.MatchString(a) || want.MatchString(b)
	}
	if !either(s.name, now.name, first.name) ||
		!either(s.namespace, o.effective(now), o.effective(first)) {
		return false
	}
	metadata, _ := o.object["metadata"].(map[string]any)
	return s.labels.Matches(labels.Set(texts(metadata["labels"]))) &&
		s.annotations.Matches(labels.Set(texts(metadata["annotations"])))
}
