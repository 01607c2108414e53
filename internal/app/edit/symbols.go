package edit

import (
	"strings"

	"github.com/crdsem/crdsem/internal/app/judge"
	"github.com/crdsem/crdsem/internal/app/verdict"
)

// Symbol is a name in the outline of a file: a document, or a key with those
// below it.
type Symbol struct {
	Name, Detail string
	// Range is the whole, and Selection the name.
	Range, Selection Range
	IsDocument       bool
	Children         []*Symbol
}

// Symbols returns the outline of a file.
func (w *Workspace) Symbols(name string) (all []*Symbol) {
	lines, _ := w.lines(name, Position{})
	for first := 0; first < len(lines); {
		_, last := bounds(lines, first)
		way := wayTo(lines, first, 0)
		if s := w.documentSymbol(lines, last, way); s != nil {
			all = append(all, s)
		}
		first = max(last, first) + 1
	}
	return all
}

// documentSymbol returns the outline of the document that ends before a line,
// nil if it has no keys.
func (w *Workspace) documentSymbol(lines []string, last int, way *way) *Symbol {
	if len(way.keys) == 0 {
		return nil
	}
	start := way.keys[0].line
	for last > start+1 && strings.TrimSpace(lines[last-1]) == "" {
		last--
	}
	top := &Symbol{
		Name: way.value("kind"), IsDocument: true,
		Range:     Range{Position{start, 0}, w.lineEnd(lines, last-1)},
		Selection: Range{Position{start, 0}, w.lineEnd(lines, start)},
	}
	if top.Name == "" {
		top.Name = "document"
	}
	of := map[int]*Symbol{0: top}
	for _, k := range way.keys {
		above, s := k.parent, &Symbol{Name: k.key, Selection: w.keyRange(lines, k)}
		for of[above] == nil {
			above = way.items[above]
		}
		if !strings.HasPrefix(k.value, "#") {
			s.Detail = k.value
		}
		s.Range = Range{s.Selection.Start, w.lineEnd(lines, lastLine(lines, k, last))}
		of[k.id] = s
		of[above].Children = append(of[above].Children, s)
		if k.key == "name" && above != 0 && of[above].Name == "metadata" {
			top.Detail = k.value
		}
	}
	return top
}

// lastLine returns the last line of what a key holds.
func lastLine(lines []string, k wayKey, end int) int {
	last := k.line
	for n := k.line + 1; n < end; n++ {
		text := strings.TrimSpace(lines[n])
		column := indent(lines[n])
		isItem := column == k.column && strings.HasPrefix(text, "- ")
		if text != "" && column <= k.column && !isItem {
			break
		}
		if text != "" {
			last = n
		}
	}
	return last
}

// Fold is a part of a file that can be folded: lines from 0.
type Fold struct{ First, Last int }

// Folds returns what can be folded in a file: each key that holds more than its
// line.
func (w *Workspace) Folds(name string) (all []Fold) {
	for _, s := range w.Symbols(name) {
		all = s.folds(all)
	}
	return all
}

func (s *Symbol) folds(all []Fold) []Fold {
	if f := (Fold{s.Range.Start.Line, s.Range.End.Line}); f.Last > f.First {
		all = append(all, f)
	}
	for _, child := range s.Children {
		all = child.folds(all)
	}
	return all
}

// Object is an object or a definition of the workspace.
type Object struct {
	Kind, Name string
	Location
}

// Find returns the objects and definitions of the workspace whose kind or name
// holds a text, at most 500.
func (w *Workspace) Find(text string) (all []Object) {
	text = strings.ToLower(text)
	for _, f := range w.all() {
		f.subjects(func(r *verdict.Result) {
			if r.Kind == "" || len(all) == 500 ||
				!strings.Contains(strings.ToLower(r.Subject()), text) {
				return
			}
			at := Position{Line: max(r.Line-1, 0)}
			all = append(all, Object{r.Kind, r.Name, Location{f.name, Range{at, at}}})
		})
	}
	return all
}

// subjects calls a function with the name and the place of each object.
func (f *file) subjects(do func(*verdict.Result)) {
	f.mu.Lock()
	defines, definitions := f.defines, f.definitions
	f.mu.Unlock()
	if defines { // they are large, and need not be read again
		for _, d := range definitions {
			do(d.checked[0].Result)
		}
		return
	}
	each(f.parsed(), func(d document) {
		if d.err == nil {
			do(judge.NewResult(d.Document, d.Content))
		}
	})
}
