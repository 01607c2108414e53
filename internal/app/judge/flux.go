package judge

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/crdsem/crdsem/internal/app/repository"
	"github.com/crdsem/crdsem/internal/app/verdict"
	"github.com/crdsem/crdsem/internal/base/typemeta"
	"github.com/crdsem/crdsem/kit/manifest"
)

// maxNested bounds patches of Kustomizations within patches of Kustomizations.
const maxNested = 4

// judgePatches judges the patches of a Kustomization of Flux as parts of the
// objects that they select, and adds the findings to the result.
func (p *Repository) judgePatches(
	ctx context.Context, to Sender, file string, o manifest.Object, r *verdict.Result,
) {
	if r.Reason == verdict.Skipped {
		return
	}
	found := p.inPatches(ctx, to, file, o, maxNested)
	if len(found) == 0 {
		return
	}
	within := *r
	within.Findings = found
	p.Ignored.Add(int64(IgnoreComments(o.Document, &within)))
	if p.Ignores != nil {
		p.Ignored.Add(int64(Drop(&within, func(f *verdict.Finding) bool {
			return p.Ignores(file, r, f)
		})))
	}
	r.Findings = append(r.Findings, within.Findings...)
	for i := range within.Findings {
		if within.Findings[i].Severity == verdict.Error {
			r.Verdict, r.Reason = verdict.Refused, ""
		}
	}
}

// inPatches returns the findings in the patches of a Kustomization.
func (p *Repository) inPatches(
	ctx context.Context, to Sender, file string, o manifest.Object, depth int,
) (found []verdict.Finding) {
	if depth == 0 {
		return nil
	}
	patches, _ := repository.PatchesOf(o.Content)
	for i := range patches {
		patch := &patches[i]
		at := fmt.Sprintf("spec.patches[%d].patch", patch.Index)
		for _, doc := range patch.Objects {
			content, _, err := doc.Object()
			if err != nil {
				continue
			}
			part := manifest.Object{Document: doc, Content: p.typed(patch, content)}
			inner := p.part(ctx, to, file, part)
			inner = append(inner, p.inPatches(ctx, to, file, part, depth-1)...)
			found = append(found, placeIn(o.Document, at, inner)...)
		}
		for index, operation := range patch.Operations {
			content := p.typed(patch, added(operation))
			if content == nil {
				continue
			}
			inner := p.part(ctx, to, file, manifest.Object{Document: o.Document, Content: content})
			for i := range inner {
				inner[i].Line, inner[i].Column = 1, 1
				inner[i].Text = fmt.Sprintf("operation %d: %s", index, inner[i].Text)
			}
			found = append(found, placeIn(o.Document, at, inner)...)
		}
	}
	return found
}

// part returns the findings on a part of an object.
func (p *Repository) part(
	ctx context.Context, to Sender, file string, part manifest.Object,
) []verdict.Finding {
	if part.Content == nil {
		return nil
	}
	shown, hidden := p.reveal(file, repository.WithoutDirectives(part.Content))
	r := to.Send(ctx, part.Document, shown, nil)
	AsPatch(r, verdict.Patch)
	LeaveOut(r, hidden.Cause)
	return r.Findings
}

// typed returns a part with the type of the objects that its patch selects, nil
// if that is not known.
func (p *Repository) typed(
	patch *repository.FluxPatch, part map[string]any,
) map[string]any {
	own := typemeta.Of(part)
	group, version, kind := patch.Target()
	switch {
	case part == nil:
		return nil
	case kind == "" || own.Kind == kind && own.Version != "" && (group == "" || group == own.Group):
		if own.Kind == "" || own.Version == "" {
			return nil
		}
		return part
	}
	apiVersion := ""
	if p.TypeOf != nil {
		apiVersion = p.TypeOf(group, version, kind)
	}
	if apiVersion == "" {
		return nil
	}
	out := map[string]any{"apiVersion": apiVersion, "kind": kind}
	for key, value := range part {
		if key != "apiVersion" && key != "kind" {
			out[key] = value
		}
	}
	return out
}

// added returns the object that has nothing but what an operation of JSON 6902
// adds, nil for other operations.
func added(operation any) map[string]any {
	entries, _ := operation.(map[string]any)
	path, _ := entries["path"].(string)
	op, _ := entries["op"].(string)
	if op != "add" && op != "replace" || !strings.HasPrefix(path, "/") {
		return nil
	}
	value := entries["value"]
	steps := strings.Split(path[1:], "/")
	for i := len(steps) - 1; i >= 0; i-- {
		step := strings.NewReplacer("~1", "/", "~0", "~").Replace(steps[i])
		if _, err := strconv.Atoi(step); err == nil || step == "-" {
			value = []any{value}
		} else {
			value = map[string]any{step: value}
		}
	}
	object, _ := value.(map[string]any)
	return object
}

// placeIn moves findings from the text at a path of a document to the document.
func placeIn(doc *manifest.Document, path string, found []verdict.Finding) []verdict.Finding {
	text := doc.Find(path)
	for i := range found {
		f := &found[i]
		at := text.Within(f.Line, f.Column)
		f.Line, f.Column, f.Source = at.Line, at.Column, doc.LineText(at.Line)
		f.Text = "in a patch: " + f.Text
		f.Path = path
	}
	return found
}
