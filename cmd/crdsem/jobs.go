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
		for j := range documents(list) {
			more := true
			switch {
			case j.err == nil:
				more = yieldItems(j.doc, yield)
			case !errors.Is(j.err, errEmpty) || !j.input.InFolder:
				more = yield(nil, j.located())
			}
			if !more {
				return
			}
		}
	}
}

// yieldItems yields the items of a list, or the document itself.
func yieldItems(doc *manifest.Document, yield func(*manifest.Document, error) bool) bool {
	object, strict, err := doc.Object()
	if err != nil {
		return yield(nil, err)
	}
	items, isList, err := doc.Items(object, strict)
	if !isList {
		return yield(doc, nil)
	}
	if err != nil {
		return yield(nil, err)
	}
	for _, item := range items {
		if !yield(item, nil) {
			return false
		}
	}
	return true
}
