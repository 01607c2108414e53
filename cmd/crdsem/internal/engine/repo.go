package engine

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/crdsem/crdsem/cmd/crdsem/internal/config"
	"github.com/crdsem/crdsem/cmd/crdsem/internal/program"
	"github.com/crdsem/crdsem/internal/app/judge"
	"github.com/crdsem/crdsem/internal/app/repository"
	"github.com/crdsem/crdsem/internal/app/verdict"
	"github.com/crdsem/crdsem/internal/base/typemeta"
	"github.com/crdsem/crdsem/kit/manifest"
)

// Repo is what the engine knows of a repository: what its files are, and what
// its configuration leaves out.
type Repo struct {
	judge.Repository
	// Config is the configuration of the repository, nil without one.
	Config *config.File

	owners       repository.Owners
	inputs       map[string]bool // by their paths
	converted    map[string]bool // definitions that a patch gives a webhook
	documents    sync.Map        // what documentsOf read
	skippedFiles int
	used         []atomic.Bool // entries of the configuration that ignored something
}

// Open leaves out sources that the configuration or .gitignore skips, unless
// they were named themselves, and reads the kustomizations of the others.
func (p *Repo) Open(list []*manifest.Source) ([]*manifest.Source, error) {
	if p.Config == nil {
		p.Config = &config.File{}
	}
	p.used = make([]atomic.Bool, len(p.Config.Ignore))
	p.Patches, p.Labelled = repository.Patches{}, repository.Labelled{}
	p.converted = map[string]bool{}
	p.Skips, p.Fields = p.Config.Skip.Skips, p.Config.Skip.Fields
	p.Ignores, p.Values, p.Patched = p.ignores, p.values, p.patched
	p.IsResource, p.Undelivered = p.owners.IsResource, p.owners.Undelivered
	p.IsDraft = p.owners.IsDraft
	p.owners.ReadFile = p.readNamed
	p.inputs, p.IsInput, p.Documents = map[string]bool{}, p.isInput, p.documentsOf
	p.Outside = func(file, name string) bool { return p.isOutside(filepath.Dir(file), name) }
	p.Absent = p.absent
	p.Kustomized = func(file string) bool {
		return p.MayBePatch(file) || p.owners.Kustomized(file)
	}
	folders := map[string]bool{}
	var left []*manifest.Source
	for _, s := range list {
		ignored, err := p.Config.GitIgnores(s.Path())
		switch {
		case err != nil:
			return nil, err
		case s.InFolder && p.Config.SkipsFile(s.Path()):
			p.skippedFiles++
			continue
		case s.InFolder && (ignored || filepath.Base(s.Name) == config.Name):
			continue
		case s.Err == nil && filepath.IsAbs(s.Path()):
			p.readKustomizations(filepath.Dir(s.Path()), folders)
		}
		left = append(left, s)
		p.inputs[s.Path()] = true
	}
	return left, nil
}

// isPatchFile reports whether a kustomization names a file as a part of
// objects.
func (p *Repo) isPatchFile(file string) bool {
	return p.MayBePatch((&manifest.Source{Name: file}).Path())
}

// isInput reports whether a file, or the kustomization in a folder, is an
// input.
func (p *Repo) isInput(file string) bool {
	return p.inputs[file] || slices.ContainsFunc(repository.Kustomizations, func(name string) bool {
		return p.inputs[filepath.Join(file, name)]
	})
}

// documentsOf returns the documents of a file, or of the kustomization in a
// folder, as far as they can be read. They are read once.
func (p *Repo) documentsOf(file string) []*manifest.Document {
	read, _ := p.documents.LoadOrStore(file, sync.OnceValue(func() (all []*manifest.Document) {
		if path, err := program.Kustomization(file); err == nil {
			file = path
		}
		for doc, err := range (&manifest.Source{Name: shownName(file)}).Documents() {
			if err != nil {
				break
			}
			all = append(all, doc)
		}
		return all
	}))
	return read.(func() []*manifest.Document)()
}

// readKustomizations reads those of a folder and of the folders above it, up to
// the root of the repository, without those that were read before.
func (p *Repo) readKustomizations(folder string, read map[string]bool) {
	for ; !read[folder]; folder = filepath.Dir(folder) {
		read[folder] = true
		for _, name := range repository.Kustomizations {
			path := filepath.Join(folder, name)
			if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
				p.readKustomization(&manifest.Source{Name: path})
			}
		}
		if isRepository(folder) {
			return
		}
	}
}

// readKustomization adds the patches of a kustomization, and what it labels.
// Its errors are reported when it is judged.
func (p *Repo) readKustomization(s *manifest.Source) {
	for doc, err := range s.Documents() {
		if err != nil {
			return
		}
		if object, _, err := doc.Object(); err == nil {
			folder := filepath.Dir(s.Path())
			p.Patches.Read(folder, object)
			p.Patches.Spare(folder, object, namesIn)
			p.Labelled.Read(filepath.Dir(s.Path()), object)
			p.readConversions(filepath.Dir(s.Path()), object)
			p.owners.ReadResources(filepath.Dir(s.Path()), object)
		}
	}
}

// namesIn returns the names of the files in a folder, none if there is none.
func namesIn(folder string) (names []string) {
	entries, _ := os.ReadDir(folder)
	for _, entry := range entries {
		if entry.Type().IsRegular() {
			names = append(names, entry.Name())
		}
	}
	return names
}

// ignores reports whether the configuration leaves out a finding.
func (p *Repo) ignores(file string, r *verdict.Result, f *verdict.Finding) bool {
	group, _ := typemeta.Split(r.APIVersion)
	i := p.Config.Ignores(config.Finding{
		Rule: f.Rule, File: file, Group: group, Kind: r.Kind,
		Namespace: r.Namespace, Name: r.Name, Field: f.Field,
	})
	if i >= 0 {
		p.used[i].Store(true)
	}
	return i >= 0
}

// readOwner adds an object that Flux substitutes variables by, and those in a
// list. Patches are parts of such objects, and none themselves. Errors are
// reported when the objects are judged.
func (p *Repo) readOwner(j job) {
	isPart := p.MayBePatch(j.input.Path())
	if isPart || !repository.MayOwn(string(j.doc.Data)) || j.input.IsStream() {
		return
	}
	object, strict, err := j.doc.Object()
	if err != nil {
		return
	}
	file := j.input.Path()
	root := p.Root(filepath.Dir(file))
	p.owners.Read(root, file, object)
	items, _, _ := j.doc.Items(object, strict)
	for _, item := range items {
		if object, _, err := item.Object(); err == nil {
			p.owners.Read(root, file, object)
		}
	}
}

// Root returns the root of the repository that has a folder, else the folder
// of the configuration.
func (p *Repo) Root(folder string) string {
	if root := RootOf(folder); root != "" {
		return root
	}
	if p.Config.Path != "" {
		return filepath.Dir(p.Config.Path)
	}
	return folder
}

// RootOf returns the root of the repository that has a folder, "" without one.
func RootOf(folder string) string {
	for at := folder; at != filepath.Dir(at); at = filepath.Dir(at) {
		if isRepository(at) {
			return at
		}
	}
	return ""
}

// readNamed returns the text of a file that a kustomization in a folder names.
// ok is false if it is none, or if it is outside of the repository.
func (p *Repo) readNamed(folder, name string) (text string, ok bool) {
	if p.isOutside(folder, name) {
		return "", false
	}
	return readPatch(filepath.Join(folder, filepath.FromSlash(name)))
}

// isOutside reports whether a path from a folder leads out of the repository
// that has the folder, also by a link. Without a repository it does not.
func (p *Repo) isOutside(folder, name string) bool {
	root := p.Root(folder)
	if !isRepository(root) {
		return false
	}
	path := filepath.Join(folder, filepath.FromSlash(name))
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
		if root, err = filepath.EvalSymlinks(root); err != nil {
			return true
		}
	}
	local, err := filepath.Rel(root, path)
	return err != nil || !filepath.IsLocal(local)
}

// absent returns why kustomize cannot read what a kustomization in a file
// names. A file that does not exist may be generated before, unless Flux or
// Argo CD take the repository as it is. One that .gitignore leaves out is.
func (p *Repo) absent(
	file string, named repository.Named,
) (severity verdict.Severity, reason string) {
	severity = verdict.Warning
	if p.owners.Delivers(filepath.Dir(file)) {
		severity = verdict.Error
	}
	if !named.IsLocal() || !filepath.IsAbs(file) || p.IsDraft(file) {
		return severity, ""
	}
	path := filepath.Join(filepath.Dir(file), filepath.FromSlash(named.Name))
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if ignored, err := p.Config.GitIgnores(path); ignored || err != nil {
			return severity, ""
		}
		return severity, named.Name + " does not exist: kustomize refuses the kustomization"
	case err == nil && info.IsDir() && named.Builds():
		if _, err := program.Kustomization(path); err != nil {
			return severity, fmt.Sprintf("kustomize refuses %s: %v", named.Name, err)
		}
	}
	return severity, ""
}

// isRepository reports whether a folder is the root of a repository.
func isRepository(folder string) bool {
	_, err := os.Stat(filepath.Join(folder, ".git"))
	return err == nil
}

// values returns the values of variables in a file: those of the configuration
// win. It is nil if nothing says what is substituted.
func (p *Repo) values(file string) map[string]string {
	return p.owners.Values(file, p.Config.Substitute)
}

// patched returns what each owner of a file makes of an object.
func (p *Repo) patched(file string, object map[string]any) []repository.Patched {
	return p.owners.Patched(file, object, p.Config.Substitute)
}

// unused returns the entries of the configuration that ignore nothing.
func (p *Repo) unused() (list []string) {
	for i := range p.used {
		if !p.used[i].Load() {
			list = append(list, p.Config.Ignore[i].String())
		}
	}
	return list
}
