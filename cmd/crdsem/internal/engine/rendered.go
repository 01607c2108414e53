package engine

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/crdsem/crdsem/cmd/crdsem/internal/program"
	"github.com/crdsem/crdsem/internal/app/judge"
	"github.com/crdsem/crdsem/internal/app/repository"
	"github.com/crdsem/crdsem/internal/app/verdict"
	"github.com/crdsem/crdsem/internal/base/typemeta"
	"github.com/crdsem/crdsem/kit/manifest"
)

// rendering is what kustomize made of a folder. Methods of nil are for sources
// that were not rendered, and leave everything as it is.
type rendering struct {
	folder, file string // its kustomization
	// start is the folder that origins are relative to, empty if no object has
	// one.
	start string
	chart *helmChart // nil if kustomize rendered it

	mu   sync.Mutex
	read map[string][]manifest.Object // of the files that objects came from
}

// render renders the folders of --kustomize, and returns the results as
// sources. Their names are those of the kustomizations.
func (e *Engine) render(ctx context.Context) ([]*manifest.Source, error) {
	if len(e.Kustomize) == 0 {
		return nil, nil
	}
	path := e.KustomizeProgram
	if path == "" {
		var err error
		if path, err = program.Find("kustomize", "kubectl"); err != nil {
			return nil, fmt.Errorf("--kustomize: %w", err)
		}
	}
	if e.rendered == nil {
		e.rendered = map[*manifest.Source]*rendering{}
	}
	var list []*manifest.Source
	for _, folder := range e.Kustomize {
		r := &rendering{folder: folder, read: map[string][]manifest.Object{}}
		source := r.render(ctx, program.Kustomize(path))
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		e.rendered[source] = r
		list = append(list, source)
	}
	return list, nil
}

// render returns what a folder is rendered to, or a source with the error.
func (d *rendering) render(ctx context.Context, by program.Kustomize) *manifest.Source {
	var text []byte
	var err error
	if d.file, err = program.Kustomization(d.folder); err == nil {
		text, d.start, err = by.Render(ctx, d.folder)
	}
	if err != nil {
		at := manifest.Position{File: d.file}
		return &manifest.Source{Name: d.file, Err: &manifest.Error{Position: at, Err: err}}
	}
	return manifest.Stream(d.file, bytes.NewReader(text))
}

// path returns the path by which a source is configured: the absolute one of
// the kustomization.
func (d *rendering) path(of *manifest.Source) string {
	if d != nil {
		of = &manifest.Source{Name: d.file}
	}
	return of.Path()
}

// takeOrigin removes the origin of a rendered object and returns it, nil if it
// cannot be followed.
func (d *rendering) takeOrigin(o *manifest.Object) *manifest.Object {
	if d == nil {
		return nil
	}
	if d.chart != nil {
		return nil
	}
	var file string
	if file, o.Content = repository.TakeOrigin(o.Content); file == "" || d.start == "" {
		return nil
	}
	file = filepath.Join(d.start, filepath.FromSlash(file))
	d.mu.Lock()
	defer d.mu.Unlock()
	all, known := d.read[file]
	if !known {
		all = originals(file)
		d.read[file] = all
	}
	return originalOf(all, o.Content)
}

// originals returns the objects of a file that can be read.
func originals(file string) (all []manifest.Object) {
	if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	name := shownName(file)
	for o, err := range manifest.Objects([]*manifest.Source{{Name: name}}) {
		if err == nil {
			all = append(all, o)
		}
	}
	return all
}

// shownName returns the name of a file that is read next to the inputs:
// relative to the working folder, if it is below it.
func shownName(file string) string {
	folder, err := os.Getwd()
	if err != nil {
		return file
	}
	real, _ := filepath.EvalSymlinks(folder) // without it the first one is tried
	for _, folder := range []string{folder, real} {
		if local, err := filepath.Rel(folder, file); err == nil && filepath.IsLocal(local) {
			return local
		}
	}
	return file
}

// Originals returns the files that rendered objects came from.
func (e *Engine) Originals() (all []string) {
	for _, d := range e.rendered {
		all = slices.AppendSeq(all, maps.Keys(d.read))
	}
	return all
}

// originalOf returns the object that a rendered one came from: the one of its
// kind and name, or the only one of its kind, since kustomize can rename it.
func originalOf(all []manifest.Object, rendered map[string]any) (found *manifest.Object) {
	t := typemeta.Of(rendered)
	_, name := typemeta.Name(rendered)
	ofKind := 0
	for i := range all {
		if typemeta.Of(all[i].Content) != t {
			continue
		}
		ofKind++
		found = &all[i]
		if _, original := typemeta.Name(found.Content); original == name {
			return found
		}
	}
	if ofKind != 1 {
		return nil
	}
	return found
}

// place gives the findings of a rendered object the places of its original, or
// of the kustomization. It returns how many a comment of the original leaves
// out.
func (d *rendering) place(r *verdict.Result, original *manifest.Object) (ignored int) {
	switch {
	case d == nil:
		return 0
	case d.chart != nil:
		d.placeInChart(r)
		return 0
	}
	r.Rendered = true
	r.File, r.Line, r.Column, r.Item = d.file, 0, 0, ""
	if original != nil {
		start := original.Start()
		r.File, r.Line, r.Column, r.Item = start.File, start.Line, start.Column, original.Item
	}
	for i := range r.Findings {
		d.placeFinding(&r.Findings[i], original)
	}
	if original != nil {
		ignored, _ = judge.DropCommented(original.Document, r)
	}
	return ignored
}

func (d *rendering) placeFinding(f *verdict.Finding, original *manifest.Object) {
	rendered := strings.TrimSpace(f.Source)
	f.Line, f.Column, f.Source = 0, 0, ""
	if original != nil {
		found := original.Find(cmp.Or(f.Path, f.Field))
		at := found.Value
		if found.Missing != "" || f.Type == "" {
			at = found.Key
		}
		f.Line, f.Column, f.Source = at.Line, at.Column, original.LineText(at.Line)
	}
	if rendered != "" && !strings.Contains(f.Source, rendered) {
		if f.Hint != "" {
			f.Hint += "; "
		}
		f.Hint += fmt.Sprintf("kustomize makes `%s` of it in %s", rendered, d.folder)
	}
}

// said are the findings of files. A rendered object does not repeat them.
type said map[saidFinding]bool

// saidFinding is a finding on an object of a file. Its text has the value.
type saidFinding struct {
	file, item        string
	line              int
	rule, field, text string
}

// once leaves out of the result of a rendered object the findings that the
// object of its file or a patch has, and says so. isPatch reports whether a
// file is one.
func (s said) once(r *verdict.Result, isPatch func(file string) bool) {
	repeated := func(f verdict.Finding) bool {
		text, inPatch := strings.CutPrefix(f.Text, "in a patch: ")
		key := saidFinding{r.File, r.Item, r.Line, f.Rule, f.Field, text}
		anywhere := saidFinding{ // an item has another index in a patch
			rule: f.Rule, field: withoutIndexes(f.Field), text: withoutIndexes(text),
		}
		if r.Rendered {
			return s[key] || s[anywhere]
		}
		s[key] = true
		s[anywhere] = s[anywhere] || inPatch || isPatch(r.File)
		return false
	}
	before := len(r.Findings)
	r.Findings = slices.DeleteFunc(r.Findings, repeated)
	if n := before - len(r.Findings); n > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf(
			"what kustomize makes of it has the same findings, which are not repeated: %d", n))
	}
}

// indexes matches those of lists in a path.
var indexes = regexp.MustCompile(`\[[0-9]+\]`)

func withoutIndexes(text string) string { return indexes.ReplaceAllString(text, "[]") }
