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

// judgePatches judges the patches in a kustomization, in a Kustomization of
// Flux or in an Application of Argo CD as parts of the objects that they
// select, and adds the findings to the result.
func (p *Repository) judgePatches(
	ctx context.Context, to Sender, file string, o manifest.Object, r *verdict.Result,
) {
	if r.Reason == verdict.Skipped {
		return
	}
	p.addParts(file, o.Document, r, p.inPatches(ctx, to, file, o, maxNested))
}

// addParts adds findings in a patch to a result.
func (p *Repository) addParts(
	file string, doc *manifest.Document, r *verdict.Result, found []verdict.Finding,
) {
	if len(found) == 0 {
		return
	}
	within := *r
	within.Findings = found
	p.Ignored.Add(int64(IgnoreComments(doc, &within)))
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

// inPatches returns the findings in the patches of an object.
func (p *Repository) inPatches(
	ctx context.Context, to Sender, file string, o manifest.Object, depth int,
) (found []verdict.Finding) {
	if depth == 0 {
		return nil
	}
	patches := repository.PatchesIn(o.Content)
	for i := range patches {
		patch := &patches[i]
		inner := p.inPatch(ctx, to, file, patch, depth)
		found = append(found, placeIn(o.Document, patch.At, inner)...)
	}
	return found
}

// inPatch returns the findings in a patch, placed in its text.
func (p *Repository) inPatch(
	ctx context.Context, to Sender, file string, patch *repository.Patch, depth int,
) (found []verdict.Finding) {
	if patch.Err != nil {
		return unreadPatch(patch)
	}
	for i, doc := range patch.Objects {
		part := manifest.Object{Document: doc, Content: p.typed(patch, patch.Part(i))}
		found = append(found, p.part(ctx, to, file, part)...)
		found = append(found, p.inPatches(ctx, to, file, part, depth-1)...)
	}
	text := manifest.Document{}
	for index, operation := range patch.Operations {
		content := p.typed(patch, added(operation))
		if content == nil {
			continue
		}
		inner := p.part(ctx, to, file, manifest.Object{Document: &text, Content: content})
		for i := range inner {
			at := patch.Operation(index)
			inner[i].Line, inner[i].Column = at.Line, at.Column
			inner[i].Text = fmt.Sprintf("operation %d: %s", index, inner[i].Text)
		}
		found = append(found, inner...)
	}
	return found
}

// operations judges a file that is a patch in JSON 6902.
func (p *Repository) operations(
	ctx context.Context, to Sender, file string, doc *manifest.Document, part repository.Part,
) *verdict.Result {
	r := left(doc, nil, verdict.Patch)
	patch := part.PatchOfText(string(doc.Data))
	if len(patch.Operations) == 0 || !part.HasOperations() {
		return r
	}
	found := p.inPatch(ctx, to, file, &patch, maxNested)
	for i := range found {
		found[i].Line += doc.Line - 1
		found[i].Source = doc.LineText(found[i].Line)
	}
	p.addParts(file, doc, r, found)
	return r
}

// unreadPatch returns the finding on a patch that cannot be read. One with a
// variable or an action of a template may be fine.
func unreadPatch(patch *repository.Patch) []verdict.Finding {
	if patch.IsOpen() {
		return nil
	}
	at, text := position("", patch.Err)
	return []verdict.Finding{{
		Severity: verdict.Error, Line: max(at.Line, 1), Column: max(at.Column, 1), Text: text,
	}}
}

// part returns the findings on a part of an object.
func (p *Repository) part(
	ctx context.Context, to Sender, file string, part manifest.Object,
) []verdict.Finding {
	if part.Content == nil {
		return nil
	}
	shown, hidden := p.reveal(
		repository.WithoutDirectives(part.Content), p.valuesIn(file))
	r := to.Send(ctx, part.Document, shown, nil)
	AsPatch(r, verdict.Patch)
	LeaveOut(r, hidden.Cause)
	return r.Findings
}

// typed returns a part with the type of the objects that its patch selects, nil
// if that is not known.
func (p *Repository) typed(
	patch *repository.Patch, part map[string]any,
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
