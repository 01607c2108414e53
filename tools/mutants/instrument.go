package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// instrument returns the file's text with its mutants, each of them switched
// off. Lines keep their numbers.
func instrument(file *source, mutants []*mutant) string {
	type numberedEdit struct {
		edit
		id int
	}
	var edits []numberedEdit
	for _, m := range mutants {
		for _, e := range m.edits {
			edits = append(edits, numberedEdit{e, m.id})
		}
	}
	slices.SortStableFunc(edits, func(a, b numberedEdit) int {
		return cmp.Or(cmp.Compare(a.from, b.from), nesting(a.edit, b.edit), a.order(a.id, b.id))
	})
	var out strings.Builder
	at := 0
	for _, e := range edits {
		out.Write(file.text[at:e.from])
		out.WriteString(e.text(e.id))
		at = e.to
	}
	out.Write(file.text[at:])
	return withImport(file, out.String())
}

// nesting orders insertions at one offset: what closes comes before what opens,
// a small span closes first and opens last.
func nesting(a, b edit) int {
	switch {
	case a.closing && b.closing:
		return cmp.Or(cmp.Compare(a.span, b.span), -a.compareInner(b))
	case a.closing:
		return -1
	case b.closing:
		return 1
	}
	return cmp.Or(cmp.Compare(b.span, a.span), a.compareInner(b))
}

// compareInner puts edits that belong inside behind others.
func (e edit) compareInner(other edit) int {
	switch {
	case e.inner == other.inner:
		return 0
	case e.inner:
		return 1
	}
	return -1
}

// order nests insertions around the same code.
func (e edit) order(id, other int) int {
	if e.closing {
		return cmp.Compare(other, id)
	}
	return cmp.Compare(id, other)
}

// withImport adds the import of package active on the line of the package
// clause.
func withImport(file *source, text string) string {
	clause := int(file.syntax.Name.End() - file.syntax.FileStart)
	return text[:clause] + fmt.Sprintf("; import active %q", activePath) + text[clause:]
}
