package judge

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/app/repository"
	"github.com/crdsem/crdsem/internal/app/verdict"
	"github.com/crdsem/crdsem/kit/manifest"
)

// placeInPatches moves findings on values that came of patches to the patches.
// Those that the patches have themselves are dropped.
func (p *Repository) placeInPatches(
	ctx context.Context, to Sender, o manifest.Object, after *repository.Patched,
	r *verdict.Result,
) {
	var before *verdict.Result
	isOfFile := func(f *verdict.Finding) bool {
		if before == nil {
			before = to.Send(ctx, o.Document, o.Content, nil)
		}
		return slices.ContainsFunc(before.Findings, func(other verdict.Finding) bool {
			return other.Rule == f.Rule && other.Field == f.Field && other.Type == f.Type
		})
	}
	drops := make([]bool, len(r.Findings))
	for i := range r.Findings {
		f := &r.Findings[i]
		source, ok := after.Source(cmp.Or(f.Path, f.Field))
		switch {
		case !ok || source.Shared && isOfFile(f):
			continue
		case isOfParts(f) && p.judgesItself(&source):
			drops[i] = true
		default:
			drops[i] = p.placeInPatch(f, &source, r)
		}
	}
	index := -1
	Drop(r, func(*verdict.Finding) bool {
		index++
		return drops[index]
	})
}

// isOfParts reports whether a finding is one that a part of an object has, too.
func isOfParts(f *verdict.Finding) bool {
	return f.Rule == strictRule || f.Rule == typeRule ||
		f.Type == string(field.ErrorTypeTypeInvalid)
}

// judgesItself reports whether a patch is judged as a part of objects.
func (p *Repository) judgesItself(s *repository.Source) bool {
	if p.IsInput != nil && !p.IsInput(s.Patch.File) {
		return false
	}
	if s.Document == nil {
		return p.typed(s.Patch, added(s.Patch.Operations[s.Index])) != nil
	}
	return p.typed(s.Patch, s.Patch.Part(s.Index)) != nil
}

// placeInPatch moves a finding to the patch that its value came from, if the
// patch is in a file. It reports whether a comment there ignores the finding.
func (p *Repository) placeInPatch(
	f *verdict.Finding, s *repository.Source, r *verdict.Result,
) (ignored bool) {
	patch := s.Patch
	if p.Documents == nil || patch.File == "" {
		return false
	}
	at := patch.Operation(s.Index)
	if s.Document != nil {
		place := s.Document.Find(s.Path)
		if at = place.Value; place.Missing != "" || f.Type == "" {
			at = place.Key
		}
	}
	for _, doc := range p.Documents(patch.File) {
		last := doc.Line + bytes.Count(doc.Data, []byte("\n"))
		if !patch.IsFile {
			place := doc.Find(patch.At)
			if text, ok := place.Text(); !ok || text != patch.Text() {
				continue
			}
			at = place.Within(at.Line, at.Column)
		} else if at.Line < doc.Line || at.Line > last {
			continue
		}
		f.File, f.Line, f.Column, f.Source = doc.File, at.Line, at.Column, doc.LineText(at.Line)
		within := *r
		within.Findings = []verdict.Finding{*f}
		n, _ := DropCommented(doc, &within)
		p.Ignored.Add(int64(n))
		return n > 0
	}
	return false
}
