package edit

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/crdsem/crdsem/internal/app/judge"
	"github.com/crdsem/crdsem/internal/app/repository"
	"github.com/crdsem/crdsem/manifest"
	"github.com/crdsem/crdsem/manifest/files"
)

// file is a text. It is read when it is first asked for.
type file struct {
	name, text string
	before     []*checkedDefinition // of the last text that parsed

	mu          sync.Mutex
	read        bool
	documents   []document
	broken      bool // a document does not parse
	definitions []*checkedDefinition
	found       []Diagnostic // by the definitions foundBy
	foundBy     *known
	costs       []ruleCost
}

// document is a document of a file, or the error of one that cannot be read.
// items are those of a list.
type document struct {
	files.Object
	err   error
	items []document
}

// checkedDefinition is a definition with its document. checked has one for each
// minor.
type checkedDefinition struct {
	files.Object
	checked []*judge.Definition
}

// changesOthers reports whether objects of other files may depend on this one.
func (f *file) changesOthers() bool {
	return strings.Contains(f.text, definitionKind) || f.isKustomization() || f.isOwner()
}

// isOwner reports whether objects of Flux may say here what is substituted.
func (f *file) isOwner() bool { return repository.MayOwn(f.text) }

const definitionKind = "CustomResourceDefinition"

func (f *file) isKustomization() bool {
	return slices.Contains(repository.Kustomizations, filepath.Base(f.name))
}

// parsed returns the documents.
func (f *file) parsed() []document {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.read {
		return f.documents
	}
	f.read = true
	for doc, err := range manifest.Read(f.name, strings.NewReader(f.text)) {
		d := document{err: err}
		if err == nil {
			d = open(doc)
		}
		f.broken = f.broken || d.err != nil && !errors.Is(d.err, manifest.ErrNoObject)
		f.documents = append(f.documents, d)
	}
	return f.documents
}

// readDocuments returns the documents if they were read before.
func (f *file) readDocuments() []document {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.documents
}

// open decodes a document, and the items of a list.
func open(doc *manifest.Document) document {
	object, strict, err := doc.Object()
	d := document{Object: files.Object{Document: doc, Content: object, Strict: strict}, err: err}
	if err != nil {
		return d
	}
	items, isList, err := doc.Items(object, strict)
	for _, item := range items {
		object, strict, _ := item.Object() // an item has no error
		d.items = append(d.items, document{
			Object: files.Object{Document: item, Content: object, Strict: strict},
		})
	}
	if isList && err != nil {
		d.items = append(d.items, document{Object: files.Object{Document: doc}, err: err})
	}
	return d
}

// each calls a function for each object, with lists opened.
func each(documents []document, do func(document)) {
	for _, d := range documents {
		if len(d.items) == 0 {
			do(d)
		}
		each(d.items, do)
	}
}

// hasDefinitions reports whether a document is a definition, now or in the last
// text that parsed.
func (f *file) hasDefinitions() (has bool) {
	if len(f.before) > 0 {
		return true
	}
	if !strings.Contains(f.text, definitionKind) {
		return false
	}
	each(f.parsed(), func(d document) {
		has = has || d.err == nil && files.IsDefinition(d.Content)
	})
	return has
}

// checked returns the definitions. While a document does not parse, they are
// those from before.
func (f *file) checked(ctx context.Context, by *judge.Panel) []*checkedDefinition {
	documents := f.parsed()
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.broken && f.before != nil {
		return f.before
	}
	if f.definitions != nil || !strings.Contains(f.text, definitionKind) {
		return f.definitions
	}
	found := []*checkedDefinition{}
	each(documents, func(d document) {
		if d.err == nil && files.IsDefinition(d.Content) {
			found = append(found, &checkedDefinition{
				d.Object, by.Check(ctx, d.Document, d.Content, d.Strict),
			})
		}
	})
	if ctx.Err() == nil { // otherwise findings are missing
		f.definitions = found
	}
	return found
}

// lastDefinitions returns the definitions that were checked last, nil if there
// are none.
func (f *file) lastDefinitions() []*checkedDefinition {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.definitions != nil {
		return f.definitions
	}
	return f.before
}
