package main

import (
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/crdsem/crdsem/cmd/crdsem/internal/inputs"
	"github.com/crdsem/crdsem/manifest"
)

// job is one document that was read, or its error.
type job struct {
	place
	doc *manifest.Document
	err error
}

// located returns the error with its place.
func (j job) located() error {
	if errors.Is(j.err, errEmpty) {
		return fmt.Errorf("%s: %w", j.input.Name, j.err)
	}
	return j.err
}

// errEmpty is the error of an input without a document.
var errEmpty = errors.New("the file holds no document")

// documents yields the documents of all inputs. An input without a document
// yields errEmpty.
func documents(list []*inputs.Input) iter.Seq[job] {
	return func(yield func(job) bool) {
		for _, in := range list {
			index := 0
			for doc, err := range in.Documents() {
				if !yield(job{place{in, index, ""}, doc, err}) {
					return
				}
				index++
			}
			if index == 0 && !yield(job{place{in, 0, ""}, nil, errEmpty}) {
				return
			}
		}
	}
}

// jobsOf yields the items of a list.
func jobsOf(list job, items []*manifest.Document) iter.Seq[job] {
	return func(yield func(job) bool) {
		for _, item := range items {
			if !yield(job{place{list.input, list.index, item.Item}, item, nil}) {
				return
			}
		}
	}
}

// documentsIn iterates over the documents in paths; lists are opened. Files of
// a folder may be empty.
func documentsIn(paths []string, stdin io.Reader) iter.Seq2[*manifest.Document, error] {
	return func(yield func(*manifest.Document, error) bool) {
		list := inputs.Find(paths, stdin)
		defer closeInputs(list)
		for docs, err := range openedIn(list) {
			if err != nil && !yield(nil, err) {
				return
			}
			for _, doc := range docs {
				if !yield(doc, nil) {
					return
				}
			}
		}
	}
}

// openedIn yields the items of each document that is a list, and other
// documents alone. Files of a folder may be empty.
func openedIn(list []*inputs.Input) iter.Seq2[[]*manifest.Document, error] {
	return func(yield func([]*manifest.Document, error) bool) {
		for j := range documents(list) {
			switch {
			case j.err == nil:
				if !yield(opened(j.doc)) {
					return
				}
			case errors.Is(j.err, errEmpty) && j.input.InFolder:
			case !yield(nil, j.located()):
				return
			}
		}
	}
}

// opened returns the items of a list, or the document itself.
func opened(doc *manifest.Document) ([]*manifest.Document, error) {
	object, strict, err := doc.Object()
	if err != nil {
		return nil, err
	}
	items, isList, err := doc.Items(object, strict)
	switch {
	case !isList:
		return []*manifest.Document{doc}, nil
	case err != nil:
		return nil, err
	default:
		return items, nil
	}
}
