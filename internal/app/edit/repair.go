package edit

import (
	"cmp"
	"context"
	"slices"
	"strings"
)

// Repair makes the edits of a file that are certain, e.g. it removes a keyword
// which means nothing for its type. It returns the findings that are gone. The
// text is judged again after each edit, or after several at once: a finding
// goes and no other one comes.
func (w *Workspace) Repair(ctx context.Context, name string) (fixed []Diagnostic, err error) {
	const rounds = 8 // an edit may make room for another one
	for range rounds {
		gone, err := w.repair(ctx, name)
		if err != nil || len(gone) == 0 {
			return fixed, err
		}
		fixed = append(fixed, gone...)
	}
	return fixed, nil
}

// repair makes the edits that do not touch each other.
func (w *Workspace) repair(ctx context.Context, name string) ([]Diagnostic, error) {
	found, err := w.Diagnose(ctx, name)
	f := w.file(name)
	if err != nil || f == nil {
		return nil, err
	}
	m := &fixer{w: w, ctx: ctx, file: f, lines: strings.Split(f.text(), "\n"), before: found}
	for i := range found {
		m.of = &found[i]
		m.fix()
	}
	certain := apart(slices.DeleteFunc(m.all, func(a Action) bool { return !a.Certain }))
	text := m.edited(certain...)
	if len(certain) > 0 && !m.areFixed(certain, newFile(name, text)) {
		text, certain = m.oneByOne(certain)
	}
	if ctx.Err() != nil || len(certain) == 0 {
		return nil, context.Cause(ctx)
	}
	w.Set(name, text)
	var gone []Diagnostic
	for _, a := range certain {
		gone = append(gone, *a.Fixes)
	}
	return gone, nil
}

// mostTrials bounds the edits that are tried one by one.
const mostTrials = 100

// oneByOne returns the text with the edits that help beside those before them.
func (m *fixer) oneByOne(all []Action) (text string, helpful []Action) {
	text = m.file.text()
	for _, a := range all[:min(len(all), mostTrials)] {
		trial := m.edited(append(slices.Clone(helpful), a)...)
		if m.ctx.Err() == nil && m.areFixed(append(helpful, a), newFile(m.file.name, trial)) {
			text, helpful = trial, append(helpful, a)
		}
	}
	return text, helpful
}

// apart returns the actions whose edits do not touch those of one before.
func apart(all []Action) (list []Action) {
	var taken []Range
	for _, a := range all {
		touches := slices.ContainsFunc(a.Edits, func(e Edit) bool {
			return slices.ContainsFunc(taken, func(r Range) bool {
				return e.Range.Start == r.Start ||
					isBefore(e.Range.Start, r.End) && isBefore(r.Start, e.Range.End)
			})
		})
		if !touches {
			list = append(list, a)
			for _, e := range a.Edits {
				taken = append(taken, e.Range)
			}
		}
	}
	return list
}

func isBefore(a, b Position) bool {
	return a.Line < b.Line || a.Line == b.Line && a.Column < b.Column
}

// edited returns the text with the edits of some actions.
func (m *fixer) edited(all ...Action) string {
	var edits []Edit
	for _, a := range all {
		edits = append(edits, a.Edits...)
	}
	return m.w.encoding.ApplyAll(m.file.text(), edits)
}

// ApplyAll returns a text with edits made, which do not touch each other. Their
// places are those of the text as it was.
func (e Encoding) ApplyAll(text string, edits []Edit) string {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b Edit) int {
		return cmp.Or(cmp.Compare(b.Range.Start.Line, a.Range.Start.Line),
			cmp.Compare(b.Range.Start.Column, a.Range.Start.Column))
	})
	for _, edit := range edits { // from the end, so that places stay
		text = e.Apply(text, edit)
	}
	return text
}
