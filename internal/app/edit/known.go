package edit

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/app/judge"
	"github.com/crdsem/crdsem/internal/app/repository"
	"github.com/crdsem/crdsem/internal/app/verdict"
	"github.com/crdsem/crdsem/internal/base/typemeta"
	"github.com/crdsem/crdsem/internal/kit/parallel"
	"github.com/crdsem/crdsem/kit/advice/lint"
	"github.com/crdsem/crdsem/kit/builtin"
	"github.com/crdsem/crdsem/kit/manifest"
	"github.com/crdsem/crdsem/minors"
	"github.com/crdsem/crdsem/structural"
)

// known are the definitions of all files.
type known struct {
	panel   *judge.Panel
	minor   minors.Minor // the newest one
	builtIn judge.BuiltInKinds
	kinds   manifest.Kinds[*origin]
	judge.Repository
	owners repository.Owners
	// more are findings that a definition has next to its own, e.g. that there
	// are two of a kind, by its start.
	more map[manifest.Position][]verdict.Finding
}

// origin is a definition that objects are judged by.
type origin struct {
	*checkedDefinition
	compiled *crdsem.Definition // of the newest minor
}

// panel returns a panel for the minors of the settings.
func (w *Workspace) panel(like judge.Judge) *judge.Panel {
	like.Cache = &w.cache
	return judge.NewPanel(like, w.settings.minors())
}

// minors returns the minors whose servers judge, the oldest first.
func (s *Settings) minors() []minors.Minor {
	if len(s.Kubernetes) == 0 {
		return []minors.Minor{minors.Newest()}
	}
	return s.Kubernetes
}

// checker returns what checks definitions.
func (w *Workspace) checker() *judge.Panel {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.panel(judge.Judge{FieldValidation: orElse(w.settings.Definitions, crdsem.Warn)})
}

// linter returns what checks definitions for likely mistakes, too.
func (w *Workspace) linter() *judge.Panel {
	w.mu.Lock()
	defer w.mu.Unlock()
	settings := lint.Settings{}
	for check, severity := range w.settings.Lint {
		_ = settings.Set(check, lint.Severity(severity)) // a name that is not known changes nothing
	}
	return w.panel(judge.Judge{
		FieldValidation: orElse(w.settings.Definitions, crdsem.Warn), Lint: settings,
	})
}

func orElse(s, otherwise crdsem.Strictness) crdsem.Strictness {
	if s == "" {
		return otherwise
	}
	return s
}

// definitions returns the definitions of all files.
func (w *Workspace) definitions(ctx context.Context) *known {
	w.mu.Lock()
	k, state := w.known, w.state
	w.mu.Unlock()
	if k != nil {
		return k
	}
	list, checker, linter := w.all(), w.checker(), w.linter()
	w.mu.Lock()
	s := w.settings
	in := s.minors()
	k = &known{
		minor: in[len(in)-1], builtIn: s.BuiltIn,
		more: map[manifest.Position][]verdict.Finding{},
	}
	like := judge.Judge{
		FieldValidation: orElse(s.Objects, crdsem.Strict), Details: judge.AllDetails,
		BuiltIn: s.BuiltIn,
	}
	if s.RequireDefinitions {
		like.Unknown = judge.RefuseUnknown
	}
	k.panel = w.panel(like)
	w.mu.Unlock()
	k.LeftOut = judge.LeftOut{
		Skips: s.Skips, Ignores: s.ignores(), Fields: s.Fields, StrictFiles: s.StrictFiles,
		Values: func(file string) map[string]string { return k.owners.Values(file, s.Substitute) },
		Patched: func(file string, object map[string]any) []repository.Patched {
			return k.owners.Patched(file, object, s.Substitute)
		},
		TypeOf: k.panel.TypeOf, IsResource: k.owners.IsResource,
		Undelivered: k.owners.Undelivered, IsDraft: k.owners.IsDraft,
	}
	k.Patches = repository.Patches{}
	k.owners.ReadFile = func(folder, name string) (string, bool) {
		path := filepath.Join(folder, filepath.FromSlash(name))
		i := slices.IndexFunc(list, func(f *file) bool { return f.name == path })
		if i < 0 {
			return "", false
		}
		return list[i].text(), true
	}
	for found := range parallel.InOrder(values(list), func(f *file) fileDefinitions {
		return fileDefinitions{f, f.checked(ctx, checker, linter)}
	}) {
		k.add(found)
		k.addOwners(found.file, s.Root)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if ctx.Err() == nil && w.state == state {
		w.known = k
	}
	return k
}

// ignores returns what a judge asks about findings.
func (s *Settings) ignores() func(string, *verdict.Result, *verdict.Finding) bool {
	if s.Ignores == nil {
		return nil
	}
	return func(file string, r *verdict.Result, f *verdict.Finding) bool {
		group, _ := typemeta.Split(r.APIVersion)
		return s.Ignores(Finding{f.Rule, file, f.Field, group, r.Kind, r.Namespace, r.Name})
	}
}

func values(list []*file) func(func(*file) bool) {
	return func(yield func(*file) bool) {
		for _, f := range list {
			if !yield(f) {
				return
			}
		}
	}
}

type fileDefinitions struct {
	*file
	definitions []*checkedDefinition
}

// add makes the definitions and the kustomization of a file known.
func (k *known) add(f fileDefinitions) {
	if f.isKustomization() {
		for _, d := range f.parsed() {
			if d.err == nil {
				k.Patches.Read(filepath.Dir(f.name), d.Content)
				k.owners.ReadResources(filepath.Dir(f.name), d.Content)
			}
		}
	}
	for _, d := range f.definitions {
		if _, may := k.Patches[f.name]; may && k.IsPatch(f.name, d.object().Content) {
			continue
		}
		own := d.copies() // Add warns of definitions that occur twice
		before := len(own[0].Result.Findings)
		k.panel.Add(own)
		k.more[d.start] = own[0].Result.Findings[before:]
		newest := d.checked[len(d.checked)-1]
		if compiled := newest.Compiled(); compiled != nil {
			k.kinds.Add(newest.Names(), &origin{d, compiled})
		}
	}
}

// addOwners makes known what the objects of Flux in a file substitute.
func (k *known) addOwners(f *file, rootOf func(folder string) string) {
	if !f.mayOwn {
		return
	}
	root := string(filepath.Separator)
	if rootOf != nil {
		root = rootOf(filepath.Dir(f.name))
	}
	each(f.parsed(), func(d document) {
		if d.err == nil {
			k.owners.Read(root, f.name, d.Content)
		}
	})
}

// of returns the definition and the version of a document, nil if they are not
// known.
func (k *known) of(apiVersion, kind string) (*origin, *crdsem.Version) {
	group, version := typemeta.Split(apiVersion)
	o, err := k.kinds.OfType(manifest.Type{
		GroupKind: manifest.GroupKind{Group: group, Kind: kind}, Version: version,
	})
	if err != nil || o == nil {
		return nil, nil
	}
	v, err := o.compiled.Version(version)
	if err != nil {
		return nil, nil
	}
	return o, v
}

// schema returns the schema of the objects of a type: that of the version of a
// definition, or of a kind that is built into Kubernetes. It is nil for a type
// that is not known.
func (k *known) schema(apiVersion, kind string) *structural.Schema {
	if _, v := k.of(apiVersion, kind); v != nil {
		return v.Schema()
	}
	if k.builtIn != judge.ByStructure {
		return nil
	}
	group, version := typemeta.Split(apiVersion)
	found, err := builtin.Find(manifest.Type{
		GroupKind: manifest.GroupKind{Group: group, Kind: kind}, Version: version,
	}, k.minor)
	if err != nil {
		return nil
	}
	return found.Published()
}

// builtInKinds returns the kinds that are built into Kubernetes, if they are
// judged.
func (k *known) builtInKinds() []*builtin.Kind {
	if k.builtIn != judge.ByStructure {
		return nil
	}
	return builtin.Kinds(k.minor)
}
