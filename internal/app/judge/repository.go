package judge

import (
	"context"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/app/repository"
	"github.com/crdsem/crdsem/internal/app/verdict"
	"github.com/crdsem/crdsem/internal/base/typemeta"
	"github.com/crdsem/crdsem/internal/kit/placeholder"
	"github.com/crdsem/crdsem/kit/manifest"
)

// LeftOut is what the configuration of a repository leaves out. The zero
// value leaves out nothing.
type LeftOut struct {
	// Skips reports whether objects of a kind and name are not judged.
	Skips func(group, kind, namespace, name string) bool
	// Ignores reports whether a finding of a result is left out.
	Ignores func(file string, r *verdict.Result, f *verdict.Finding) bool
	// Fields are paths of values that are not judged.
	Fields []string
	// Values returns the values of variables in a file.
	Values func(file string) map[string]string
	// Patched returns what the Kustomizations of Flux and the Applications of
	// Argo CD that own a file make of an object, if they change it.
	Patched func(file string, object map[string]any) []repository.Patched
	// Undelivered reports whether nothing delivers an object of a file.
	Undelivered func(file string, object map[string]any) bool
	// IsDraft reports whether a file is a template by its name, whose values
	// are to be replaced.
	IsDraft func(file string) bool
	// Outside reports whether a file or a folder that a kustomization in a file
	// names is outside of the repository.
	Outside func(file, name string) bool
	// Absent returns why kustomize cannot read what a kustomization in a file
	// names, e.g. a file that does not exist; "" if it can.
	Absent func(file string, named repository.Named) (verdict.Severity, string)
	// TypeOf returns the apiVersion of a kind that is known, "" without one.
	// The version may be empty.
	TypeOf func(group, version, kind string) string
	// IsResource reports whether a kustomization names a file. kustomize can
	// give a Namespace another name, e.g. one that is called "_" in its file.
	IsResource func(file string) bool
	// Kustomized reports whether kustomize reads a file.
	Kustomized func(file string) bool
	// IsInput reports whether a file, or the kustomization in a folder, is
	// judged itself. Without it all are.
	IsInput func(file string) bool
	// Documents returns the documents of a file, or of the kustomization in a
	// folder. Without it findings on patched values stay in the patched file.
	Documents func(file string) []*manifest.Document
	// StrictFiles makes an error of a file that is no manifest.
	StrictFiles bool
	// FromCluster leaves out what a server fills in.
	FromCluster bool
	// ListUnjudged fills in the values of results that are not judged.
	ListUnjudged bool
}

// Repository judges what the files of a repository hold.
type Repository struct {
	LeftOut
	Patches  repository.Patches
	Labelled repository.Labelled
	// Ignored is how many findings were left out.
	Ignored atomic.Int64
}

// Sender sends objects to a server: a [Judge] or a [Panel].
type Sender interface {
	Send(
		ctx context.Context,
		doc *manifest.Document,
		object map[string]any,
		strict []*manifest.Error,
	) *verdict.Result
}

// Unreadable returns the result of a document of a file that is not an object.
func (p *Repository) Unreadable(
	ctx context.Context, to Sender, file string, doc *manifest.Document, err error,
) *verdict.Result {
	part, isPatch := p.Patches[file]
	isNoObject := errors.Is(err, manifest.ErrNoObject)
	switch {
	case isPatch && isNoObject: // in JSON 6902
		return p.operations(ctx, to, file, doc, part)
	case p.StrictFiles:
	case isNoObject: // e.g. a playbook of Ansible, with templates in its texts
		return left(doc, nil, verdict.NoObject)
	case repository.IsTemplate(doc.Data):
		return template(doc, nil)
	case !repository.MayBeManifest(file, doc.Data):
		return left(doc, nil, verdict.NoObject)
	}
	return Unreadable(doc, err)
}

// template returns the result of a template.
func template(doc *manifest.Document, object map[string]any) *verdict.Result {
	r := left(doc, object, verdict.Template)
	_, engine := placeholder.Action(string(doc.Data))
	r.Template = string(engine)
	return r
}

// unjudged returns the values at some places of a document.
func unjudged(doc *manifest.Document, places []repository.HiddenPlace) []verdict.Unjudged {
	var all []verdict.Unjudged
	for _, place := range places {
		path := strings.TrimPrefix(place.Path, ".")
		found := doc.Find(path)
		if found.Missing != "" { // e.g. a field that the configuration skips
			continue
		}
		all = append(all, verdict.Unjudged{
			Line: found.Value.Line, Column: found.Value.Column, Field: path,
			Cause: string(place.Cause),
		})
	}
	return all
}

// left returns the result of a document that is not judged.
func left(doc *manifest.Document, object map[string]any, reason verdict.Reason) *verdict.Result {
	r := NewResult(doc, object)
	r.Verdict, r.Reason = verdict.NotJudged, reason
	return r
}

// isKustomization reports whether kustomize reads a file as the kustomization
// of its folder.
func isKustomization(file string) bool {
	return slices.Contains(repository.Kustomizations, filepath.Base(file))
}

// reason returns why an object is not judged, "" if it is.
func (p *Repository) reason(file string, object map[string]any) verdict.Reason {
	namespace, name := typemeta.Name(object)
	t := typemeta.Of(object)
	switch {
	case repository.IsTool(object):
		return verdict.ToolFile
	case isKustomization(file) && object["apiVersion"] == nil: // kustomize adds it
		return verdict.ToolFile
	case p.Skips != nil && p.Skips(t.Group, t.Kind, namespace, name):
		return verdict.Skipped
	case !repository.IsManifest(object) && !p.StrictFiles && len(object) > 0:
		return verdict.NoObject
	}
	return ""
}

// MayBePatch reports whether a kustomization names a file as a part of objects.
func (p *Repository) MayBePatch(file string) bool {
	_, named := p.Patches[file]
	return named
}

// IsPatch reports whether an object of a file is a strategic patch.
func (p *Repository) IsPatch(file string, object map[string]any) bool {
	_, ok := p.Patches[file].Object(object)
	return ok
}

// Send judges an object of a file as far as its values are known, and leaves
// out what is ignored.
func (p *Repository) Send(
	ctx context.Context, to Sender, file string, o manifest.Object,
) *verdict.Result {
	var refused []verdict.Finding
	if p.Kustomized != nil && p.Kustomized(file) {
		o, refused = asKustomized(o)
	}
	r := p.sendRead(ctx, to, file, o)
	if r.Reason != verdict.NoObject && r.Reason != verdict.Skipped {
		p.addParts(file, o.Document, r, refused)
	}
	return r
}

// sendRead judges an object as it was read.
func (p *Repository) sendRead(
	ctx context.Context, to Sender, file string, o manifest.Object,
) *verdict.Result {
	if isKustomization(file) && o.Content != nil && o.Content["kind"] == nil { // kustomize adds it
		o.Content = maps.Clone(o.Content)
		o.Content["kind"] = "Kustomization"
	}
	if reason := p.reason(file, o.Content); reason != "" {
		r := left(o.Document, o.Content, reason)
		if repository.IsKustomization(o.Content) && reason == verdict.ToolFile {
			p.addParts(file, o.Document, r, duplicatesIn(o))
			p.addParts(file, o.Document, r, p.namedIn(file, o))
			p.addParts(file, o.Document, r, p.idlePatches(file, o))
			p.judgePatches(ctx, to, file, o, r)
		}
		return r
	}
	if !p.StrictFiles && repository.IsTemplateOf(o.Content) {
		return template(o.Document, o.Content)
	}
	if part, isPatch := p.Patches[file]; isPatch {
		whole, ok := part.Object(o.Content)
		if !ok {
			return left(o.Document, o.Content, verdict.Patch)
		}
		patch := manifest.Object{Document: o.Document, Content: whole, Strict: o.Strict}
		return p.send(ctx, to, file, patch, func(r *verdict.Result) { AsPatch(r, verdict.Patch) })
	}
	var r *verdict.Result
	if p.Patched != nil {
		r = p.sendPatched(ctx, to, file, o)
	}
	if r == nil {
		r = p.send(ctx, to, file, o, nil)
	}
	if r.Verdict == verdict.Refused && p.Undelivered != nil && p.Undelivered(file, o.Content) {
		AsUndelivered(r)
	}
	if r.Verdict == verdict.Refused && p.IsDraft != nil && p.IsDraft(file) {
		asUnknown(r, o.Content, verdict.Undelivered)
	}
	p.judgePatches(ctx, to, file, o, r)
	return r
}

// sendPatched judges an object as its owners deliver it, e.g. Kustomizations of
// Flux: the first result that is refused counts. If none changes it, it returns
// nil.
func (p *Repository) sendPatched(
	ctx context.Context, to Sender, file string, o manifest.Object,
) (r *verdict.Result) {
	named := NewResult(o.Document, o.Content)
	ignored := 0
	defer func() { p.Ignored.Add(int64(ignored)) }()
	for _, patched := range p.Patched(file, o.Content) {
		switch {
		case patched.Deleted:
			r, ignored = left(o.Document, o.Content, verdict.Patched), 0
		case patched.Unknown:
			r, ignored = p.sendWith(ctx, to, file, o, patched.Values, func(r *verdict.Result) {
				asUnknown(r, o.Content, verdict.Patched)
			})
		default:
			after := o
			after.Content = patched.Object
			r, ignored = p.sendWith(ctx, to, file, after, patched.Values, nil)
			p.placeInPatches(ctx, to, o, &patched, r)
		}
		if len(r.Findings) > 0 {
			r.Notes = append(r.Notes, "judged as "+patched.By+" delivers it")
		}
		r.Namespace, r.Name = named.Namespace, named.Name
		if r.Verdict == verdict.Refused {
			return r
		}
	}
	return r
}

// send judges an object. after, if it is not nil, changes the result before
// findings are left out.
func (p *Repository) send(
	ctx context.Context, to Sender, file string, o manifest.Object, after func(*verdict.Result),
) *verdict.Result {
	r, ignored := p.sendWith(ctx, to, file, o, nil, after)
	p.Ignored.Add(int64(ignored))
	return r
}

// sendWith is like send with other values of variables than those that all
// owners of the file agree on, unless values is nil. It returns how many
// findings were ignored.
func (p *Repository) sendWith(
	ctx context.Context, to Sender, file string, o manifest.Object, values map[string]string,
	after func(*verdict.Result),
) (r *verdict.Result, ignored int) {
	object := o.Content
	if p.FromCluster {
		object = repository.WithoutServer(object)
	}
	if values == nil {
		values = p.valuesIn(file)
	}
	shown, hidden := p.reveal(object, values)
	r = to.Send(ctx, o.Document, shown, o.Strict)
	if len(o.Strict) > 0 && p.Kustomized != nil && p.Kustomized(file) {
		refuseDuplicates(r)
	}
	if after != nil {
		after(r)
	}
	if p.Labelled.Has(file) {
		Drop(r, func(f *verdict.Finding) bool {
			return r.ByStructure && f.Field == "spec.selector" &&
				f.Type == string(field.ErrorTypeRequired)
		})
	}
	if r.Kind == "Namespace" && r.ByStructure && p.IsResource != nil && p.IsResource(file) {
		Drop(r, func(f *verdict.Finding) bool { return f.Field == nameField })
	}
	LeaveOut(r, hidden.Cause)
	if r.Verdict != verdict.NotJudged {
		warnOfBooleanKeys(r, o)
	}
	if p.ListUnjudged && r.Verdict != verdict.NotJudged {
		r.Unjudged = unjudged(o.Document, hidden.Places)
	}
	ignored = IgnoreComments(o.Document, r)
	if p.Ignores != nil {
		ignored += Drop(r, func(f *verdict.Finding) bool { return p.Ignores(file, r, f) })
	}
	return r, ignored
}

// valuesIn returns the values of variables in a file.
func (p *Repository) valuesIn(file string) map[string]string {
	if p.Values == nil {
		return nil
	}
	return p.Values(file)
}

// reveal returns an object as far as its values are known.
func (p *Repository) reveal(
	object map[string]any, values map[string]string,
) (map[string]any, repository.Hidden) {
	shown, hidden := repository.Reveal(object, values)
	hidden.Add(p.Fields...)
	return shown, hidden
}
