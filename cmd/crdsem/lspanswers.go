package main

import (
	"context"
	"fmt"

	"github.com/crdsem/crdsem/edit"
)

// changed says what is wrong with a document that has a new text. The diagnosis
// of an older text ends.
func (s *lspServer) changed(of lspIdentifier) {
	s.mu.Lock()
	d := s.open[of.URI]
	if d == nil {
		d = &lspDocument{}
		s.open[of.URI] = d
	}
	if d.cancel != nil {
		d.cancel()
	}
	d.version = of.Version
	var ctx context.Context
	ctx, d.cancel = context.WithCancel(s.ctx)
	pulls := s.pulls
	s.mu.Unlock()
	if !pulls {
		s.running.Go(func() { s.publish(ctx, of) })
	}
}

// refresh says again what is wrong with all open documents.
func (s *lspServer) refresh() {
	s.mu.Lock()
	var all []lspIdentifier
	for uri, d := range s.open {
		all = append(all, lspIdentifier{uri, d.version})
	}
	pulls := s.pulls
	s.mu.Unlock()
	if pulls {
		_, _ = s.rpc.Callback(s.ctx, "workspace/diagnostic/refresh", nil) // it may be unknown
		return
	}
	for _, of := range all {
		s.publish(s.ctx, of)
	}
}

// publish sends the diagnostics of a document, unless it changed.
func (s *lspServer) publish(ctx context.Context, of lspIdentifier) {
	found, err := s.diagnose(ctx, of.URI)
	if err != nil || ctx.Err() != nil {
		return
	}
	_ = s.notify("textDocument/publishDiagnostics", map[string]any{
		"uri": of.URI, "version": of.Version, "diagnostics": found,
	}) // an error ends the connection
}

func (s *lspServer) diagnose(ctx context.Context, uri string) ([]lspDiagnostic, error) {
	found, err := s.workspace.Diagnose(ctx, pathOfURI(uri))
	all := make([]lspDiagnostic, len(found))
	for i := range found {
		all[i] = s.diagnostic(&found[i])
	}
	return all, err
}

// lspSeverities are those of the protocol.
var lspSeverities = map[edit.Severity]int{"error": 1, "warning": 2, "tolerated": 3, "style": 4}

func (s *lspServer) diagnostic(d *edit.Diagnostic) lspDiagnostic {
	out := lspDiagnostic{
		Range: lspRangeOf(d.Range), Severity: lspSeverities[d.Severity],
		Code: d.Rule, Source: "crdsem",
		Message: harmlessText(d.Message),
	}
	if d.Hint != "" {
		out.Message += "\n" + harmlessText(d.Hint)
	}
	if d.Rule != "" && s.config.Link != nil {
		if link := s.config.Link(d.Rule); link != "" {
			out.CodeDescription = &lspCodeLink{link}
		}
	}
	return out
}

func (s *lspServer) pull(ctx context.Context, p struct {
	TextDocument lspIdentifier `json:"textDocument"`
}) (any, error) {
	found, err := s.diagnose(ctx, p.TextDocument.URI)
	return map[string]any{"kind": "full", "items": found}, err
}

// The kinds of completion items.
const (
	lspField = 5
	lspValue = 12
)

func (s *lspServer) complete(_ context.Context, p lspDocumentPosition) (any, error) {
	found := s.workspace.Complete(pathOfURI(p.TextDocument.URI), p.Position.edit())
	items := make([]lspCompletion, len(found))
	for i, c := range found {
		kind := lspField
		if c.Label == c.Edit.Text {
			kind = lspValue
		}
		items[i] = lspCompletion{
			Label: c.Label, Kind: kind, Detail: c.Detail, Documentation: c.Text,
			SortText: fmt.Sprintf("%05d", i), TextEdit: lspEditOf(c.Edit),
		}
	}
	return map[string]any{"isIncomplete": false, "items": items}, nil
}

func (s *lspServer) hover(_ context.Context, p lspDocumentPosition) (any, error) {
	found := s.workspace.Hover(pathOfURI(p.TextDocument.URI), p.Position.edit())
	if found == "" {
		return nil, nil
	}
	return map[string]any{"contents": map[string]string{"kind": "markdown", "value": found}}, nil
}

func (s *lspServer) actions(ctx context.Context, p struct {
	TextDocument lspIdentifier `json:"textDocument"`
	Range        lspRange      `json:"range"`
}) (any, error) {
	found, err := s.workspace.Actions(ctx, pathOfURI(p.TextDocument.URI),
		p.Range.Start.Line, p.Range.End.Line)
	all := make([]lspAction, len(found))
	for i := range found {
		a := &found[i]
		var edits []lspTextEdit
		for _, e := range a.Edits {
			edits = append(edits, lspEditOf(e))
		}
		all[i] = lspAction{
			Title: harmlessText(a.Title), Kind: "quickfix", IsPreferred: a.Preferred,
			Diagnostics: []lspDiagnostic{s.diagnostic(&a.Mends)},
			Edit:        lspWorkspaceEdit{map[string][]lspTextEdit{p.TextDocument.URI: edits}},
		}
	}
	return all, err
}
