package judge

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"sync"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/app/repository"
	"github.com/crdsem/crdsem/internal/app/verdict"
	"github.com/crdsem/crdsem/kit/manifest"
)

// placing places the findings of an object in the patches that it came of. What
// it found out of a patch serves all findings.
type placing struct {
	*Repository

	result *verdict.Result
	texts  map[*repository.Patch]*textPlace
}

// textPlace is where the text of a patch is: in one document, at a place, or in
// the documents of a file of its own.
type textPlace struct {
	documents []*manifest.Document
	lines     []int // the last ones of the documents
	place     manifest.Place
}

// placeInPatches moves findings on values that came of patches to the patches.
// Those that the patches have themselves are dropped.
func (p *Repository) placeInPatches(
	ctx context.Context, to Sender, o manifest.Object, after *repository.Patched,
	r *verdict.Result,
) {
	type kind struct{ rule, field, of string }
	kindOf := func(f *verdict.Finding) kind { return kind{f.Rule, f.Field, f.Type} }
	ofFile := sync.OnceValue(func() map[kind]bool {
		all := map[kind]bool{}
		before := to.Send(ctx, o.Document, o.Content, nil)
		for i := range before.Findings {
			all[kindOf(&before.Findings[i])] = true
		}
		return all
	})
	at := placing{p, r, map[*repository.Patch]*textPlace{}}
	drops := make([]bool, len(r.Findings))
	for i := range r.Findings {
		f := &r.Findings[i]
		source, ok := after.Source(cmp.Or(f.Path, f.Field))
		switch {
		case !ok || source.Shared && ofFile()[kindOf(f)]:
			continue
		case isOfParts(f) && p.judgesItself(&source):
			drops[i] = true
		default:
			drops[i] = at.move(f, &source)
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

// move moves a finding to the patch that its value came from, if the patch is
// in a file. It reports whether a comment there ignores the finding.
func (p *placing) move(f *verdict.Finding, s *repository.Source) (ignored bool) {
	text := p.textOf(s.Patch)
	if len(text.documents) == 0 {
		return false
	}
	at := s.Patch.Operation(s.Index)
	if s.Document != nil {
		place := s.Document.Find(s.Path)
		if at = place.Value; place.Missing != "" || f.Type == "" {
			at = place.Key
		}
	}
	doc := text.documents[0]
	if s.Patch.IsFile {
		i, _ := slices.BinarySearch(text.lines, at.Line)
		if i == len(text.lines) || at.Line < text.documents[i].Line {
			return false
		}
		doc = text.documents[i]
	} else {
		at = text.place.Within(at.Line, at.Column)
	}
	f.File, f.Line, f.Column, f.Source = doc.File, at.Line, at.Column, doc.LineText(at.Line)
	within := *p.result
	within.Findings = []verdict.Finding{*f}
	n, _ := DropCommented(doc, &within)
	p.Ignored.Add(int64(n))
	return n > 0
}

// textOf returns where the text of a patch is. It has no documents if that is
// not known.
func (p *placing) textOf(patch *repository.Patch) *textPlace {
	if known := p.texts[patch]; known != nil {
		return known
	}
	text := &textPlace{}
	p.texts[patch] = text
	if p.Documents == nil || patch.File == "" {
		return text
	}
	for _, doc := range p.Documents(patch.File) {
		if patch.IsFile {
			text.documents = append(text.documents, doc)
			text.lines = append(text.lines, doc.Line+bytes.Count(doc.Data, []byte("\n")))
			continue
		}
		place := doc.Find(patch.At)
		if found, ok := place.Text(); ok && found == patch.Text() {
			text.documents, text.place = []*manifest.Document{doc}, place
			break
		}
	}
	return text
}
