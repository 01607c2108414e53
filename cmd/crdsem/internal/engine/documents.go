package engine

import (
	"context"
	"iter"
	"slices"

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

// jobs yields the documents that results are made of. Those of inputs that are
// apart come first and were kept.
func (e *Engine) jobs(list []*manifest.Source) iter.Seq[job] {
	return func(yield func(job) bool) {
		for _, j := range e.given {
			if !yield(j) {
				return
			}
		}
		rest := slices.DeleteFunc(slices.Clone(list), e.isApart)
		for j := range documents(rest) {
			if !yield(j) {
				return
			}
		}
	}
}

// readDocument is a document of an input with its definitions.
type readDocument struct {
	job
	found []placedDefinition
}

// readGiven reads an input that was given for its definitions.
func (e *Engine) readGiven(
	ctx context.Context, in *manifest.Source, c *cache,
) (all []readDocument) {
	text, sum := c.file(in)
	mayUse := !e.Repo.MayBePatch(in.Path())
	at := place{in, 0, ""}
	if doc, of, ok := c.find(in.Name, text, sum); ok && mayUse {
		checked := e.panel.CheckKnown(doc, of)
		found := []placedDefinition{{checked: checked, place: at}}
		return []readDocument{{job{at, doc, nil}, found}}
	}
	for j := range documents([]*manifest.Source{in}) {
		all = append(all, readDocument{j, e.definitionsIn(ctx, j)})
	}
	if len(all) == 1 && len(all[0].found) == 1 && all[0].found[0].place == at &&
		!all[0].found[0].openAPI && mayUse {
		c.remember(text, sum, all[0].doc, all[0].found[0].checked)
	}
	return all
}

// keep remembers a document of an input that was given for its definitions, in
// order not to read that again. Of a definition its result is enough.
func (e *Engine) keep(read readDocument) {
	j := read.job
	if len(read.found) == 1 && read.found[0].place == j.place && !read.found[0].openAPI {
		j.doc = nil
	}
	e.given = append(e.given, j)
}
