package edit

import (
	"context"
	"errors"
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/crdsem/crdsem/internal/app/judge"
	"github.com/crdsem/crdsem/internal/app/repository"
	"github.com/crdsem/crdsem/kit/manifest"
)

// file is a text. It is read when it is first asked for.
type file struct {
	name   string
	before []*checkedDefinition // of the last text that parsed
	// mayDefine and mayOwn are set if there may be definitions, or objects of
	// Flux that say what is substituted.
	mayDefine, mayOwn bool

	mu          sync.Mutex
	kept        string        // the text, unless
	again       func() string // is set, which returns it
	defines     bool          // nothing but definitions, if again is set
	read        bool
	documents   []document
	broken      bool // a document does not parse
	definitions []*checkedDefinition
	linted      bool // the definitions
	costs       []ruleCost

	judging  sync.Mutex
	results  []judgedDocument // by the definitions judgedBy
	judgedBy *known
}

func newFile(name, text string) *file {
	return &file{
		name: name, kept: text, mayDefine: strings.Contains(text, definitionKind),
		mayOwn: repository.MayOwn(text),
	}
}

// text returns the text.
func (f *file) text() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.locked()
}

// locked returns the text, while the file is locked.
func (f *file) locked() string {
	if f.again != nil {
		return f.again()
	}
	return f.kept
}

// document is a document of a file, or the error of one that cannot be read.
// items are those of a list.
type document struct {
	manifest.Object
	err   error
	items []document
}

// checkedDefinition is a definition of a file: the first one has the number 0.
// checked has one for each minor.
type checkedDefinition struct {
	file    *file
	number  int
	start   manifest.Position
	checked []*judge.Definition
}

// object returns the definition with its document.
func (c *checkedDefinition) object() (found manifest.Object) {
	number := 0
	each(c.file.parsed(), func(d document) {
		if d.isDefinition() {
			if number == c.number {
				found = d.Object
			}
			number++
		}
	})
	return found
}

// changesOthers reports whether objects of other files may depend on this one.
func (f *file) changesOthers() bool {
	return f.mayDefine || f.mayOwn || f.isKustomization()
}

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
	for doc, err := range manifest.Read(f.name, strings.NewReader(f.locked())) {
		d := document{err: err}
		if err == nil {
			d = open(doc)
		}
		f.broken = f.broken || d.err != nil && !errors.Is(d.err, manifest.ErrNoObject)
		f.documents = append(f.documents, d)
	}
	return f.documents
}

// mentioning yields the files that may have objects of a kind. Of those whose
// documents are not kept, so many bytes are read.
func (w *Workspace) mentioning(kind string, most int) iter.Seq[*file] {
	return func(yield func(*file) bool) {
		for _, f := range w.all() {
			f.mu.Lock()
			text, isRead := "", f.read
			if !f.defines {
				text = f.locked()
			}
			f.mu.Unlock()
			if !strings.Contains(text, kind) || !isRead && len(text) > most {
				continue
			}
			if !isRead {
				most -= len(text)
				f = newFile(f.name, text)
			}
			if !yield(f) {
				return
			}
		}
	}
}

// open decodes a document, and the items of a list.
func open(doc *manifest.Document) document {
	object, strict, err := doc.Object()
	d := document{Object: manifest.Object{Document: doc, Content: object, Strict: strict}, err: err}
	if err != nil {
		return d
	}
	items, isList, err := doc.Items(object, strict)
	for _, item := range items {
		object, strict, _ := item.Object() // an item has no error
		d.items = append(d.items, document{
			Object: manifest.Object{Document: item, Content: object, Strict: strict},
		})
	}
	if isList && err != nil {
		d.items = append(d.items, document{Object: manifest.Object{Document: doc}, err: err})
	}
	return d
}

// withoutPlaces returns a file with the same objects, whose findings are at the
// starts of their documents: it is judged in half of the time.
func (f *file) withoutPlaces() *file {
	documents := slices.Clone(f.parsed())
	for i, d := range documents {
		if d.err == nil && !d.isDefinition() && len(d.Strict) == 0 {
			documents[i].Document = &manifest.Document{File: d.File, Line: d.Line}
		}
	}
	return &file{name: f.name, kept: f.text(), read: true, documents: documents}
}

func (d document) isDefinition() bool { return d.err == nil && manifest.IsDefinition(d.Content) }

// release lets go of the documents and, if it can be had again, of the text.
func (f *file) release(again func() string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	isOther := func(d document) bool { return !d.isDefinition() }
	f.defines = !slices.ContainsFunc(f.documents, isOther)
	f.read, f.documents = false, nil
	if again != nil {
		f.kept, f.again = "", again
	}
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
	if !f.mayDefine {
		return false
	}
	each(f.parsed(), func(d document) {
		has = has || d.isDefinition()
	})
	return has
}

// checked returns the definitions. While a document does not parse, they are
// those from before. Those of a text that is edited are linted, too.
func (f *file) checked(ctx context.Context, by, linter *judge.Panel) []*checkedDefinition {
	f.mu.Lock()
	known := f.definitions
	f.mu.Unlock()
	if known != nil || f.before == nil && !f.mayDefine {
		return known
	}
	documents := f.parsed()
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.broken && f.before != nil {
		return f.before
	}
	found := []*checkedDefinition{}
	if f.linted = f.before != nil; f.linted {
		by = linter
	}
	each(documents, func(d document) {
		if d.isDefinition() {
			checked := by.Check(ctx, d.Document, d.Content, d.Strict)
			for _, c := range checked {
				c.CRD = nil // it is large, and what is compiled is enough
			}
			found = append(found, &checkedDefinition{f, len(found), d.Start(), checked})
		}
	})
	if ctx.Err() == nil { // otherwise findings are missing
		f.definitions, f.before = found, nil
	}
	return found
}

// copies returns what was checked, with results of their own: a panel adds to
// those.
func (c *checkedDefinition) copies() []*judge.Definition {
	own := make([]*judge.Definition, len(c.checked))
	for i, checked := range c.checked {
		copied, result := *checked, *checked.Result
		result.Findings = slices.Clip(result.Findings)
		copied.Result = &result
		own[i] = &copied
	}
	return own
}

// lint returns a definition of the file, checked and linted.
func (f *file) lint(ctx context.Context, linter *judge.Panel, d document) []*judge.Definition {
	f.mu.Lock()
	known, isLinted := f.definitions, f.linted
	f.mu.Unlock()
	for _, c := range known {
		if isLinted && c.start == d.Start() {
			return c.copies()
		}
	}
	return linter.Check(ctx, d.Document, d.Content, d.Strict)
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
