package main

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"sync/atomic"

	"github.com/crdsem/crdsem/cmd/crdsem/internal/config"
	"github.com/crdsem/crdsem/internal/app/judge"
	"github.com/crdsem/crdsem/internal/app/repository"
	"github.com/crdsem/crdsem/internal/app/verdict"
	"github.com/crdsem/crdsem/internal/base/typemeta"
	"github.com/crdsem/crdsem/manifest"
	"github.com/crdsem/crdsem/manifest/files"
)

// repo is what the engine knows of a repository: what its files are, and what
// its configuration leaves out.
type repo struct {
	config *config.File
	// strictFiles makes an error of a file that is no manifest.
	strictFiles bool

	// fromCluster leaves out what a server fills in.
	fromCluster bool

	patches      repository.Patches
	owners       repository.Owners
	skippedFiles int

	ignored atomic.Int64 // findings that were left out
	used    []atomic.Bool
}

// open leaves out sources that the configuration or .gitignore skips, unless
// they were named themselves, and reads the kustomizations of the others.
func (p *repo) open(list []*files.Source) ([]*files.Source, error) {
	if p.config == nil {
		p.config = &config.File{}
	}
	p.used = make([]atomic.Bool, len(p.config.Ignore))
	p.patches = repository.Patches{}
	folders := map[string]bool{}
	var left []*files.Source
	for _, s := range list {
		ignored, err := p.config.GitIgnores(s.Path())
		switch {
		case err != nil:
			return nil, err
		case s.InFolder && p.config.SkipsFile(s.Path()):
			p.skippedFiles++
			continue
		case s.InFolder && (ignored || filepath.Base(s.Name) == config.Name):
			continue
		case s.Err == nil && filepath.IsAbs(s.Path()):
			p.readKustomizations(filepath.Dir(s.Path()), folders)
		}
		left = append(left, s)
	}
	return left, nil
}

// readKustomizations reads those of a folder and of the folders above it, up to
// the root of the repository, without those that were read before.
func (p *repo) readKustomizations(folder string, read map[string]bool) {
	for ; !read[folder]; folder = filepath.Dir(folder) {
		read[folder] = true
		for _, name := range repository.Kustomizations {
			path := filepath.Join(folder, name)
			if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
				p.readKustomization(&files.Source{Name: path})
			}
		}
		if _, err := os.Stat(filepath.Join(folder, ".git")); err == nil {
			return
		}
	}
}

// readKustomization adds the patches of a kustomization. Its errors are
// reported when it is judged.
func (p *repo) readKustomization(s *files.Source) {
	for doc, err := range s.Documents() {
		if err != nil {
			return
		}
		if object, _, err := doc.Object(); err == nil {
			p.patches.Read(filepath.Dir(s.Path()), object)
		}
	}
}

// unreadable returns the result of a document that is not an object.
func (p *repo) unreadable(j job, err error) *verdict.Result {
	doc := j.doc
	_, isPatch := p.patches[j.input.Path()]
	isNoObject := errors.Is(err, manifest.ErrNoObject)
	switch {
	case isPatch && isNoObject: // in JSON
		return left(doc, nil, verdict.Patch)
	case p.strictFiles:
	case isNoObject: // e.g. a playbook of Ansible, with templates in its texts
		return left(doc, nil, verdict.NoObject)
	case repository.IsTemplate(doc.Data):
		return left(doc, nil, verdict.Template)
	}
	return judge.Unreadable(doc, err)
}

// left returns the result of a document that is not judged.
func left(doc *manifest.Document, object map[string]any, reason verdict.Reason) *verdict.Result {
	r := judge.NewResult(doc, object)
	r.Verdict, r.Reason = verdict.NotJudged, reason
	return r
}

// reason returns why an object is not judged, "" if it is.
func (p *repo) reason(object map[string]any) verdict.Reason {
	namespace, name := typemeta.Name(object)
	t := typemeta.Of(object)
	switch {
	case repository.IsTool(object):
		return verdict.ToolFile
	case p.config.Skip.Skips(t.Group, t.Kind, namespace, name):
		return verdict.Skipped
	case !repository.IsManifest(object) && !p.strictFiles && len(object) > 0:
		return verdict.NoObject
	}
	return ""
}

// isPatch reports whether an object is a strategic patch.
func (p *repo) isPatch(j job, object map[string]any) bool {
	_, ok := p.patches[j.input.Path()].Object(object)
	return ok
}

// send judges an object as far as its values are known, and leaves out what is
// ignored.
func (p *repo) send(
	ctx context.Context, panel *judge.Panel, j job, object map[string]any, strict []*manifest.Error,
) *verdict.Result {
	if reason := p.reason(object); reason != "" {
		return left(j.doc, object, reason)
	}
	part, isPatch := p.patches[j.input.Path()]
	if isPatch {
		whole, ok := part.Object(object)
		if !ok {
			return left(j.doc, object, verdict.Patch)
		}
		object, strict = whole, nil // kustomize refuses duplicate keys
	}
	if p.fromCluster {
		object = repository.WithoutServer(object)
	}
	shown, hidden := repository.Reveal(object, p.values(j))
	hidden.Add(p.config.Skip.Fields...)
	r := panel.Send(ctx, j.doc, shown, strict)
	if isPatch {
		judge.AsPatch(r)
	}
	judge.LeaveOut(r, hidden.Covers)
	p.ignored.Add(int64(judge.IgnoreComments(j.doc, r)))
	group, _ := typemeta.Split(r.APIVersion)
	p.ignored.Add(int64(judge.Drop(r, func(f *verdict.Finding) bool {
		i := p.config.Ignores(config.Finding{
			Rule: f.Rule, File: j.input.Path(), Group: group, Kind: r.Kind,
			Namespace: r.Namespace, Name: r.Name, Field: f.Field,
		})
		if i >= 0 {
			p.used[i].Store(true)
		}
		return i >= 0
	})))
	return r
}

// readOwner adds an object that Flux substitutes variables by, and those in a
// list. Their errors are reported when they are judged.
func (p *repo) readOwner(j job) {
	if !p.owners.Matters(string(j.doc.Data)) || j.input.IsStream() {
		return
	}
	object, strict, err := j.doc.Object()
	if err != nil {
		return
	}
	root := p.root(filepath.Dir(j.input.Path()))
	p.owners.Read(root, object)
	items, _, _ := j.doc.Items(object, strict)
	for _, item := range items {
		if object, _, err := item.Object(); err == nil {
			p.owners.Read(root, object)
		}
	}
}

// root returns the root of the repository that has a folder, else the folder
// of the configuration.
func (p *repo) root(folder string) string {
	for at := folder; at != filepath.Dir(at); at = filepath.Dir(at) {
		if _, err := os.Stat(filepath.Join(at, ".git")); err == nil {
			return at
		}
	}
	if p.config.Path != "" {
		return filepath.Dir(p.config.Path)
	}
	return folder
}

// values returns the values of variables in a document: those of the
// configuration win. It is nil if nothing says what is substituted.
func (p *repo) values(j job) map[string]string {
	owned := p.owners.Values(j.input.Path())
	if owned == nil {
		return p.config.Substitute
	}
	maps.Copy(owned, p.config.Substitute)
	return owned
}

// unused returns the entries of the configuration that ignore nothing.
func (p *repo) unused() (list []string) {
	for i := range p.used {
		if !p.used[i].Load() {
			list = append(list, p.config.Ignore[i].String())
		}
	}
	return list
}
