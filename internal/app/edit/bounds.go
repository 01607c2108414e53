package edit

import (
	"fmt"
	"strings"

	"github.com/crdsem/crdsem/kit/manifest"
)

// Bound is a bound to set in a definition.
type Bound struct {
	// Document is the number of the definition in the file, from 0.
	Document int
	// Path is the path of the schema node in the definition, and Keyword is
	// maxItems, maxProperties or maxLength.
	Path, Keyword string
	Value         int64
}

// SetBounds sets bounds of the definitions in a file, and returns those that it
// cannot set, e.g. because the node is an alias.
func (w *Workspace) SetBounds(name string, bounds []Bound) (left []Bound) {
	f := w.file(name)
	if f == nil {
		return bounds
	}
	m := &fixer{w: w, file: f, lines: strings.Split(f.text(), "\n")}
	var definitions []document
	each(f.parsed(), func(d document) {
		if d.isDefinition() {
			definitions = append(definitions, d)
		}
	})
	var edits []Edit
	for _, b := range bounds {
		var own []Edit
		if b.Document < len(definitions) {
			own = m.setBound(definitions[b.Document].Document, b.Path, b.Keyword, b.Value)
		}
		if own == nil {
			left = append(left, b)
		}
		edits = append(edits, own...)
	}
	if len(edits) > 0 {
		w.Set(name, w.encoding.ApplyAll(f.text(), edits))
	}
	return left
}

// setBound returns the edit that sets a bound of a schema node.
func (m *fixer) setBound(doc *manifest.Document, path, keyword string, value int64) []Edit {
	if place := doc.Find(path + "." + keyword); place.Missing == "" {
		return m.value(place, fmt.Sprint(value))
	}
	return m.keyword(doc.Find(path), fmt.Sprintf("%s: %d", keyword, value))
}
