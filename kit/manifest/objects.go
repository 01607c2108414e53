package manifest

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/crdsem/crdsem/internal/base/typemeta"
)

// Object is an object that was read: a document of a source, or an item of a
// list.
type Object struct {
	*Document
	// Content is the object, and Strict what a strict decoder refuses; see
	// [Document.Object].
	Content map[string]any
	Strict  []*Error
}

// Objects yields the objects of some sources; lists are opened. The error is
// that of one object or source, and the next ones follow. A file without a
// document is an error, too, unless it was found in a folder.
func Objects(sources []*Source) iter.Seq2[Object, error] {
	return func(yield func(Object, error) bool) {
		for _, s := range sources {
			found, more := each(s.Documents(), yield)
			if !found && !s.InFolder {
				more = yield(Object{}, fmt.Errorf("%s: %w", s.Name, ErrEmpty))
			}
			if !more {
				return
			}
		}
	}
}

// ErrEmpty is wrapped by the error of a file without a document.
var ErrEmpty = errors.New("the file holds no document")

// Parse yields the objects of a text, as [Objects] does. name is the name of
// the file, for positions. The Object of an error has the document that it is
// about; nil if the text cannot be cut into documents.
func Parse(name string, in io.Reader) iter.Seq2[Object, error] {
	return func(yield func(Object, error) bool) {
		each(Read(name, in), yield)
	}
}

// open yields the objects of a document.
func open(doc *Document, yield func(Object, error) bool) bool {
	for item, err := range doc.Objects() {
		if err != nil { // the last one
			return yield(Object{Document: doc}, err)
		}
		object, strict, err := item.Object()
		if !yield(Object{item, object, strict}, err) {
			return false
		}
	}
	return true
}

// each yields the objects of documents. It reports whether there is a document
// or an error, and whether to go on.
func each(docs sequence, yield func(Object, error) bool) (found, more bool) {
	for doc, err := range docs {
		found = true
		if err != nil && !yield(Object{}, err) || err == nil && !open(doc, yield) {
			return true, false
		}
	}
	return found, true
}

// ErrNoDefinition is wrapped by the error of a path without a definition.
var ErrNoDefinition = errors.New("no CustomResourceDefinition")

// Definitions yields the definitions that some paths name, as by [Find]; lists
// are opened. Other objects are left out, and a file that is named twice is
// read once. A path without a definition yields an error, unless it has an
// empty list, as kubectl prints it for a cluster without definitions.
func Definitions(paths []string, stdin io.Reader) iter.Seq2[Object, error] {
	return func(yield func(Object, error) bool) {
		seen := map[string]bool{}
		for _, path := range paths {
			sources := Find([]string{path}, stdin)
			fresh := slices.DeleteFunc(slices.Clone(sources), func(s *Source) bool {
				return seen[s.Path()]
			})
			for _, s := range fresh {
				seen[s.Path()] = true
			}
			found, more := yieldDefinitions(fresh, yield)
			if !found && len(fresh) == len(sources) {
				more = yield(Object{}, fmt.Errorf("%s: %w", path, ErrNoDefinition))
			}
			if !more {
				return
			}
		}
	}
}

// yieldDefinitions yields the definitions and the errors of sources. It reports
// whether there is any of them, or an empty list, and whether to go on.
func yieldDefinitions(
	sources []*Source, yield func(Object, error) bool,
) (found, more bool) {
	defer func() { _ = Close(sources) }() // nothing was written
	for _, s := range sources {
		objects := 0
		documents, more := each(s.Documents(), func(o Object, err error) bool {
			objects++
			if err == nil && !IsDefinition(o.Content) {
				return true
			}
			found = true
			return yield(o, err)
		})
		if !more {
			return found, false
		}
		found = found || documents && objects == 0
		if !documents && !s.InFolder {
			found = true
			if !yield(Object{}, fmt.Errorf("%s: %w", s.Name, ErrEmpty)) {
				return found, false
			}
		}
	}
	return found, true
}

// Close removes what was kept of sources.
func Close(sources []*Source) error {
	var all error
	for _, s := range sources {
		all = errors.Join(all, s.Close())
	}
	return all
}

// IsDefinition reports whether an object is a CustomResourceDefinition of any
// version.
func IsDefinition(object map[string]any) bool {
	t := typemeta.Of(object)
	return t.Kind == "CustomResourceDefinition" && t.Group == "apiextensions.k8s.io"
}
