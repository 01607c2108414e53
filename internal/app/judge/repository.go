package judge

import (
	"context"
	"errors"
	"sync/atomic"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/app/repository"
	"github.com/crdsem/crdsem/internal/app/verdict"
	"github.com/crdsem/crdsem/internal/base/typemeta"
	"github.com/crdsem/crdsem/internal/kit/placeholder"
	"github.com/crdsem/crdsem/kit/manifest"
	"github.com/crdsem/crdsem/kit/manifest/files"
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
	// StrictFiles makes an error of a file that is no manifest.
	StrictFiles bool
	// FromCluster leaves out what a server fills in.
	FromCluster bool
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
func (p *Repository) Unreadable(file string, doc *manifest.Document, err error) *verdict.Result {
	_, isPatch := p.Patches[file]
	isNoObject := errors.Is(err, manifest.ErrNoObject)
	switch {
	case isPatch && isNoObject: // in JSON
		return left(doc, nil, verdict.Patch)
	case p.StrictFiles:
	case isNoObject: // e.g. a playbook of Ansible, with templates in its texts
		return left(doc, nil, verdict.NoObject)
	case repository.IsTemplate(doc.Data):
		r := left(doc, nil, verdict.Template)
		_, engine := placeholder.Action(string(doc.Data))
		r.Template = string(engine)
		return r
	}
	return Unreadable(doc, err)
}

// left returns the result of a document that is not judged.
func left(doc *manifest.Document, object map[string]any, reason verdict.Reason) *verdict.Result {
	r := NewResult(doc, object)
	r.Verdict, r.Reason = verdict.NotJudged, reason
	return r
}

// reason returns why an object is not judged, "" if it is.
func (p *Repository) reason(object map[string]any) verdict.Reason {
	namespace, name := typemeta.Name(object)
	t := typemeta.Of(object)
	switch {
	case repository.IsTool(object):
		return verdict.ToolFile
	case p.Skips != nil && p.Skips(t.Group, t.Kind, namespace, name):
		return verdict.Skipped
	case !repository.IsManifest(object) && !p.StrictFiles && len(object) > 0:
		return verdict.NoObject
	}
	return ""
}

// IsPatch reports whether an object of a file is a strategic patch.
func (p *Repository) IsPatch(file string, object map[string]any) bool {
	_, ok := p.Patches[file].Object(object)
	return ok
}

// Send judges an object of a file as far as its values are known, and leaves
// out what is ignored.
func (p *Repository) Send(
	ctx context.Context, to Sender, file string, o files.Object,
) *verdict.Result {
	if reason := p.reason(o.Content); reason != "" {
		return left(o.Document, o.Content, reason)
	}
	object, strict := o.Content, o.Strict
	part, isPatch := p.Patches[file]
	if isPatch {
		whole, ok := part.Object(object)
		if !ok {
			return left(o.Document, object, verdict.Patch)
		}
		object, strict = whole, nil // kustomize refuses duplicate keys
	}
	if p.FromCluster {
		object = repository.WithoutServer(object)
	}
	var values map[string]string
	if p.Values != nil {
		values = p.Values(file)
	}
	shown, hidden := repository.Reveal(object, values)
	hidden.Add(p.Fields...)
	r := to.Send(ctx, o.Document, shown, strict)
	if isPatch {
		AsPatch(r)
	}
	if p.Labelled.Has(file) {
		Drop(r, func(f *verdict.Finding) bool {
			return r.ByStructure && f.Field == "spec.selector" &&
				f.Type == string(field.ErrorTypeRequired)
		})
	}
	LeaveOut(r, hidden.Cause)
	p.Ignored.Add(int64(IgnoreComments(o.Document, r)))
	if p.Ignores != nil {
		p.Ignored.Add(int64(Drop(r, func(f *verdict.Finding) bool {
			return p.Ignores(file, r, f)
		})))
	}
	return r
}
