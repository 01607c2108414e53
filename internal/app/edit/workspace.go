package edit

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/app/judge"
	"github.com/crdsem/crdsem/minors"
)

// Workspace holds the texts that an editor knows. It is safe for concurrent
// use.
type Workspace struct {
	encoding Encoding
	cache    crdsem.Cache

	mu       sync.Mutex
	settings Settings
	files    map[string]*file
	known    *known // nil after a definition changed
	state    int    // grows with each such change
	outdated int    // definitions that the cache has parts of
}

// Settings are what a configuration says. The zero value judges as the newest
// minor and leaves out nothing.
type Settings struct {
	// Kubernetes are the minors whose servers judge, the oldest first. Without
	// any it is the newest.
	Kubernetes []minors.Minor
	// Objects and Definitions are what is done about their unknown and
	// duplicate fields, by default Strict and Warn, as the command does.
	Objects, Definitions crdsem.Strictness
	// RequireDefinitions refuses objects of unknown kinds, and StrictFiles
	// files that are no manifests.
	RequireDefinitions, StrictFiles bool
	// BuiltIn selects whether objects of kinds that are built into Kubernetes
	// are judged by their structure.
	BuiltIn judge.BuiltInKinds
	// Lint has the severities of checks of lint, e.g. off for LINT-bound.
	Lint map[string]string
	// Skips reports whether objects of a kind and name are not judged, and
	// Ignores whether a finding about an object is left out.
	Skips   func(group, kind, namespace, name string) bool
	Ignores func(Finding) bool
	// Fields are paths of values that are not judged.
	Fields []string
	// Substitute has the values of variables. They win over those that objects
	// of Flux say for folders, whose paths start at the Root of a folder; nil
	// is the top.
	Substitute map[string]string
	Root       func(folder string) string
	// Admitted makes an object of a version that the server admits, e.g. by
	// package generate. It is asked if the plain smallest object is refused;
	// nil finds nothing.
	Admitted func(def *crdsem.Definition, version string) (map[string]any, error)
}

// Finding is a finding about an object that Settings.Ignores is asked about.
type Finding struct{ Rule, File, Field, Group, Kind, Namespace, Name string }

// NewWorkspace returns a workspace without files.
func NewWorkspace(encoding Encoding) *Workspace {
	return &Workspace{encoding: encoding, files: map[string]*file{}}
}

// Configure replaces the settings.
func (w *Workspace) Configure(s Settings) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.settings = s
	w.forget()
	w.outdate(mostOutdated)
	for name, f := range w.files { // definitions are checked again
		w.files[name] = newFile(name, f.text())
	}
}

// forget notices that definitions changed.
func (w *Workspace) forget() {
	w.known = nil
	w.state++
}

// mostOutdated is how many definitions may be in the cache that are unused
// since their text changed.
const mostOutdated = 1000

// outdate notices that definitions in the cache are unused.
func (w *Workspace) outdate(n int) {
	if w.outdated += n; w.outdated >= mostOutdated {
		w.outdated = 0
		w.cache.Drop()
	}
}

// Set adds a file or replaces its text. While the text does not parse, the
// definitions are those that were in it before.
func (w *Workspace) Set(name, text string) {
	f := newFile(name, text)
	w.mu.Lock()
	defer w.mu.Unlock()
	before := w.files[name]
	if before != nil {
		f.before = before.lastDefinitions()
		w.outdate(len(f.before))
	}
	if f.before != nil || f.changesOthers() {
		w.forget()
	}
	w.files[name] = f
}

// Change edits the text of a file, one edit after the other.
func (w *Workspace) Change(name string, edits ...Edit) {
	text := w.Text(name)
	for _, edit := range edits {
		text = w.encoding.Apply(text, edit)
	}
	w.Set(name, text)
}

// Remove forgets a file.
func (w *Workspace) Remove(name string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if f := w.files[name]; f != nil && (f.changesOthers() || f.lastDefinitions() != nil) {
		w.forget()
		w.outdate(len(f.lastDefinitions()))
	}
	delete(w.files, name)
}

// Text returns the text of a file, empty if it is not known.
func (w *Workspace) Text(name string) string {
	if f := w.file(name); f != nil {
		return f.text()
	}
	return ""
}

func (w *Workspace) file(name string) *file {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.files[name]
}

// all returns the files in the order of their names.
func (w *Workspace) all() []*file {
	w.mu.Lock()
	defer w.mu.Unlock()
	list := make([]*file, 0, len(w.files))
	for _, name := range slices.Sorted(maps.Keys(w.files)) {
		list = append(list, w.files[name])
	}
	return list
}

// Has reports whether a file has definitions, or changes what is judged of
// other files: a kustomization, or what Flux substitutes. The text is read for
// it.
func (w *Workspace) Has(name string) bool {
	f := w.file(name)
	return f != nil && (f.isKustomization() || f.mayOwn || f.hasDefinitions())
}

// Prepare checks the definitions of a file, so that later questions need not,
// and keeps as little of it as they need. Its text is not kept if there is a
// function that returns it again.
func (w *Workspace) Prepare(ctx context.Context, name string, again func() string) {
	if f := w.file(name); f != nil && f.hasDefinitions() {
		f.checked(ctx, w.checker(), w.linter())
		f.release(again)
	}
}

// lines returns the lines of a file, without their ends. ok is false if the
// position is behind the last one.
func (w *Workspace) lines(name string, at Position) (lines []string, ok bool) {
	lines = strings.Split(w.Text(name), "\n")
	for i := range lines {
		lines[i] = strings.TrimSuffix(lines[i], "\r")
	}
	return lines, at.Line >= 0 && at.Line < len(lines)
}
