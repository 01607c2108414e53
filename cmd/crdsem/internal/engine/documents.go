package engine

import (
	"iter"

	"github.com/crdsem/crdsem/kit/manifest"
)

// job is one document that was read, or its error.
type job struct {
	place
	doc *manifest.Document
	err error
}

// documents yields the documents of all inputs. An input without a document
// yields ErrEmpty.
func documents(list []*manifest.Source) iter.Seq[job] {
	return func(yield func(job) bool) {
		for _, in := range list {
			index := 0
			for doc, err := range in.Documents() {
				if !yield(job{place{in, index, ""}, doc, err}) {
					return
				}
				index++
			}
			if index == 0 && !yield(job{place{in, 0, ""}, nil, manifest.ErrEmpty}) {
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
