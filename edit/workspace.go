package edit

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/catalog/kinds"
	"github.com/crdsem/crdsem/internal/app/advice/lint"
	"github.com/crdsem/crdsem/internal/app/judge"
	"github.com/crdsem/crdsem/manifest/files"
	"github.com/crdsem/crdsem/minors"
)

// Workspace holds the texts that an editor knows. It is safe for concurrent
// use.
type Workspace struct {
	encoding Encoding
	minor    minors.Minor
	cache    crdsem.Cache

	mu    sync.Mutex
	files map[string]*file
	known *known // nil after a definition changed
}

// file is a text with its definitions.
type file struct {
	text        string
	definitions []*judge.Definition
}

// known are the definitions of all files.
type known struct {
	judge *judge.Judge
	kinds kinds.Map[*crdsem.Definition]
}

// Option is an option of [NewWorkspace].
type Option func(*Workspace)

// Kubernetes selects the minor whose server judges, by default the newest.
func Kubernetes(m minors.Minor) Option { return func(w *Workspace) { w.minor = m } }

// NewWorkspace returns a workspace without files.
func NewWorkspace(encoding Encoding, options ...Option) *Workspace {
	w := &Workspace{encoding: encoding, files: map[string]*file{}}
	for _, o := range options {
		o(w)
	}
	return w
}

// Set adds a file or replaces its text. The definitions in it are checked.
func (w *Workspace) Set(ctx context.Context, name, text string) {
	f := &file{text: text, definitions: w.check(ctx, name, text)}
	w.mu.Lock()
	defer w.mu.Unlock()
	if before := w.files[name]; len(f.definitions) > 0 ||
		before != nil && len(before.definitions) > 0 {
		w.known = nil
	}
	w.files[name] = f
}

// Change edits the text of a file, one edit after the other.
func (w *Workspace) Change(ctx context.Context, name string, edits ...Edit) {
	text := w.Text(name)
	for _, edit := range edits {
		text = w.encoding.Apply(text, edit)
	}
	w.Set(ctx, name, text)
}

// Remove forgets a file.
func (w *Workspace) Remove(name string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if f := w.files[name]; f != nil && len(f.definitions) > 0 {
		w.known = nil
	}
	delete(w.files, name)
}

// Text returns the text of a file, empty if it is not known.
func (w *Workspace) Text(name string) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if f := w.files[name]; f != nil {
		return f.text
	}
	return ""
}

// DefinitionFiles returns the names of the files with definitions, in order.
func (w *Workspace) DefinitionFiles() (names []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, name := range slices.Sorted(maps.Keys(w.files)) {
		if len(w.files[name].definitions) > 0 {
			names = append(names, name)
		}
	}
	return names
}

// newJudge returns a judge without definitions.
func (w *Workspace) newJudge() *judge.Judge {
	return &judge.Judge{Kubernetes: w.minor, Cache: &w.cache, FieldValidation: crdsem.Strict,
		Lint: lint.Settings{}}
}

// check checks the definitions in a text.
func (w *Workspace) check(ctx context.Context, name, text string) []*judge.Definition {
	if !strings.Contains(text, "CustomResourceDefinition") {
		return nil
	}
	var found []*judge.Definition
	j := w.newJudge()
	for o, err := range files.Parse(name, strings.NewReader(text)) {
		if err == nil && files.IsDefinition(o.Content) {
			found = append(found, j.Check(ctx, o.Document, o.Content, o.Strict))
		}
	}
	return found
}

// definitions returns the definitions of all files.
func (w *Workspace) definitions() *known {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.known != nil {
		return w.known
	}
	k := &known{judge: w.newJudge()}
	for _, name := range slices.Sorted(maps.Keys(w.files)) {
		for _, d := range w.files[name].definitions {
			own, result := *d, *d.Result // Add warns of definitions that occur twice
			own.Result = &result
			k.judge.Add(&own)
			if compiled := d.Compiled(); compiled != nil {
				k.kinds.Add(d.Names(), compiled)
			}
		}
	}
	w.known = k
	return k
}
