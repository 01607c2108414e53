package main

import (
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

// documents yields the documents of all inputs.
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
