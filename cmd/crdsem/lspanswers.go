package main

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/crdsem/crdsem/internal/app/edit"
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
	pulls := s.client.pulls
	s.mu.Unlock()
	if !pulls {
		s.running.Go(func() { s.publish(ctx, of) })
	}
}

// refresh says again what is wrong with all open documents.
func (s *lspServer) refresh(ctx context.Context) {
	s.mu.Lock()
	var all []lspIdentifier
	for uri, d := range s.open {
		all = append(all, lspIdentifier{uri, d.version})
	}
	pulls := s.client.pulls
	s.mu.Unlock()
	if pulls {
		_, _ = s.rpc.Callback(ctx, "workspace/diagnostic/refresh", nil) // it may be unknown
		return
	}
	for _, of := range all {
		s.publish(ctx, of)
	}
}

// publish sends the diagnostics of a document, unless it changed.
func (s *lspServer) publish(ctx context.Context, of lspIdentifier) {
	s.mu.Lock()
	d := s.open[of.URI]
	isLate := d == nil || d.version != of.Version
	s.mu.Unlock()
	if isLate {
		return
	}
	d.publishing.Lock() // what is found last is said last
	defer d.publishing.Unlock()
	found, err := s.diagnose(ctx, of.URI)
	if err != nil || ctx.Err() != nil {
		return
	}
	_ = s.notify("textDocument/publishDiagnostics", map[string]any{
		"uri": of.URI, "version": of.Version, "diagnostics": found,
	}) // an error ends the connection
}

func (s *lspServer) diagnose(ctx context.Context, uri string) ([]lspDiagnostic, error) {
	s.mu.Lock()
	skips := s.settings.skips(pathOfURI(uri))
	s.mu.Unlock()
	if skips {
		return []lspDiagnostic{}, nil
	}
	found, err := s.workspace.Diagnose(ctx, pathOfURI(uri))
	shown := foremost(found, mostDiagnostics)
	all := make([]lspDiagnostic, len(shown))
	for i := range shown {
		all[i] = s.diagnostic(&shown[i])
	}
	if len(shown) < len(found) {
		all = append(all, lspDiagnostic{
			Severity: lspSeverities["tolerated"], Source: "crdsem",
			Message: fmt.Sprintf("%d findings, of which %d are shown, errors first",
				len(found), len(shown)),
		})
	}
	return all, err
}

// mostDiagnostics is how many findings of a document are sent: editors slow
// down with tens of thousands.
const mostDiagnostics = 1000

// foremost returns at most n findings, in their order. Errors come before
// others.
func foremost(found []edit.Diagnostic, n int) []edit.Diagnostic {
	if len(found) <= n {
		return found
	}
	errors := 0
	for i := range found {
		if found[i].Severity == "error" {
			errors++
		}
	}
	others := max(n-errors, 0)
	var out []edit.Diagnostic
	for i := range found {
		switch {
		case len(out) == n:
			return out
		case found[i].Severity == "error":
			out = append(out, found[i])
		case others > 0:
			others--
			out = append(out, found[i])
		}
	}
	return out
}

// lspSeverities are those of the protocol.
var lspSeverities = map[edit.Severity]int{"error": 1, "warning": 2, "tolerated": 3, "style": 4}

func (s *lspServer) diagnostic(d *edit.Diagnostic) lspDiagnostic {
	out := lspDiagnostic{
		Range: lspRangeOf(d.Range), Severity: lspSeverities[d.Severity],
		Code: d.Rule, Source: "crdsem",
		Message: harmlessText(d.Message),
	}
	if len(d.Kubernetes) > 0 {
		out.Message += " (on Kubernetes " + strings.Join(d.Kubernetes, ", ") + ")"
	}
	if d.RulesUnchecked {
		out.Message += "\nrules of the schema were not checked: correct the errors first"
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

func (s *lspServer) pull(ctx context.Context, p lspDocumentPosition) (any, error) {
	found, err := s.diagnose(ctx, p.TextDocument.URI)
	return map[string]any{"kind": "full", "items": found}, err
}

// lspKinds are the kinds of completions.
var lspKinds = map[edit.CompletionKind]int{
	edit.FunctionCompletion: 3, edit.FieldCompletion: 5, edit.VariableCompletion: 6,
	edit.ValueCompletion: 12, edit.KeywordCompletion: 14,
}

func (s *lspServer) complete(ctx context.Context, p lspDocumentPosition) (any, error) {
	s.mu.Lock()
	insertsLines := s.client.hasSnippets
	s.mu.Unlock()
	items := []lspCompletion{}
	for i, c := range s.workspace.Complete(ctx, p.path(), p.Position.edit()) {
		if first, _, isLong := strings.Cut(c.Edit.Text, "\n"); isLong && !insertsLines {
			if c.Kind == edit.ValueCompletion {
				continue // a whole object: an action writes it, too
			}
			c.Edit.Text = first
		}
		items = append(items, lspCompletion{
			Label: c.Label, Kind: lspKinds[c.Kind], Detail: c.Detail, Documentation: c.Text,
			SortText: fmt.Sprintf("%05d", i), FilterText: c.Filter, TextEdit: lspEditOf(c.Edit),
			InsertTextMode: 1, // as it is: lines have their indentation
		})
	}
	return map[string]any{"isIncomplete": false, "items": items}, nil
}

func (s *lspServer) hover(ctx context.Context, p lspDocumentPosition) (any, error) {
	found := s.workspace.Hover(ctx, p.path(), p.Position.edit())
	if found == "" {
		return nil, nil
	}
	return map[string]any{"contents": map[string]string{"kind": "markdown", "value": found}}, nil
}

func (s *lspServer) actions(ctx context.Context, p struct {
	TextDocument lspIdentifier `json:"textDocument"`
	Range        lspRange      `json:"range"`
}) (any, error) {
	name := pathOfURI(p.TextDocument.URI)
	found, err := s.workspace.Actions(ctx, name, p.Range.Start.Line, p.Range.End.Line)
	if whole, ok := s.workspace.Whole(ctx, name, p.Range.Start.Line); ok {
		found = append(found, whole)
	}
	all := make([]lspAction, len(found))
	for i := range found {
		a := &found[i]
		all[i] = lspAction{
			Title: harmlessText(a.Title), Kind: "refactor", IsPreferred: a.Preferred,
			Edit: lspEditsOf(p.TextDocument.URI, a.Edits),
		}
		if a.Fixes != nil {
			all[i].Kind, all[i].Diagnostics = "quickfix", []lspDiagnostic{s.diagnostic(a.Fixes)}
		}
	}
	return all, err
}

func (s *lspServer) definition(ctx context.Context, p lspDocumentPosition) (any, error) {
	if found, ok := s.workspace.Definition(ctx, p.path(), p.Position.edit()); ok {
		return lspLocationOf(found), nil
	}
	return nil, nil
}

func (s *lspServer) references(_ context.Context, p struct {
	lspDocumentPosition
	Context struct {
		IncludeDeclaration bool `json:"includeDeclaration"`
	} `json:"context"`
}) (any, error) {
	found := s.workspace.References(p.path(), p.Position.edit())
	if len(found) > 0 && !p.Context.IncludeDeclaration {
		found = found[1:]
	}
	all := make([]lspLocation, len(found))
	for i := range found {
		all[i] = lspLocationOf(found[i])
	}
	return all, nil
}

func (s *lspServer) rename(_ context.Context, p struct {
	lspDocumentPosition
	NewName string `json:"newName"`
}) (any, error) {
	edits, err := s.workspace.Rename(p.path(), p.Position.edit(), p.NewName)
	if err != nil {
		return nil, err
	}
	return lspEditsOf(p.TextDocument.URI, edits), nil
}

func (s *lspServer) symbols(_ context.Context, p lspDocumentPosition) (any, error) {
	return lspSymbolsOf(s.workspace.Symbols(p.path())), nil
}

func (s *lspServer) folds(_ context.Context, p lspDocumentPosition) (any, error) {
	all := []map[string]int{}
	for _, f := range s.workspace.Folds(p.path()) {
		all = append(all, map[string]int{"startLine": f.First, "endLine": f.Last})
	}
	return all, nil
}

func (s *lspServer) selections(_ context.Context, p struct {
	TextDocument lspIdentifier `json:"textDocument"`
	Positions    []lspPosition `json:"positions"`
}) (any, error) {
	all := []*lspSelection{}
	for _, at := range p.Positions {
		var around *lspSelection
		found := s.workspace.Selections(pathOfURI(p.TextDocument.URI), at.edit())
		for _, r := range slices.Backward(found) {
			around = &lspSelection{lspRangeOf(r), around}
		}
		if around == nil { // every position has one
			around = &lspSelection{Range: lspRange{at, at}}
		}
		all = append(all, around)
	}
	return all, nil
}

func (s *lspServer) links(_ context.Context, p lspDocumentPosition) (any, error) {
	all := []map[string]any{}
	for _, l := range s.workspace.Links(p.path()) {
		target := l.Address
		switch {
		case l.Rule != "" && s.config.Link != nil:
			target = s.config.Link(l.Rule)
		case target != "" && !strings.Contains(target, "://") && filepath.IsAbs(p.path()):
			target = uriOfPath(filepath.Join(filepath.Dir(p.path()), target))
		}
		if target != "" {
			all = append(all, map[string]any{"range": lspRangeOf(l.Range), "target": target})
		}
	}
	return all, nil
}

func (s *lspServer) inlays(ctx context.Context, p struct {
	TextDocument lspIdentifier `json:"textDocument"`
	Range        lspRange      `json:"range"`
}) (any, error) {
	found, err := s.workspace.Inlays(ctx, pathOfURI(p.TextDocument.URI))
	all := []lspInlay{}
	for _, i := range found {
		if i.Position.Line < p.Range.Start.Line || i.Position.Line > p.Range.End.Line {
			continue
		}
		all = append(all, lspInlay{
			Position: lspPosition{i.Position.Line, i.Position.Column},
			Label:    harmlessText(i.Text), Tooltip: i.More, PaddingLeft: true,
		})
	}
	return all, err
}

func (s *lspServer) find(_ context.Context, p struct {
	Query string `json:"query"`
}) (any, error) {
	all := []map[string]any{}
	for _, o := range s.workspace.Find(p.Query) {
		all = append(all, map[string]any{
			"name": harmlessText(o.Kind + " " + o.Name), "kind": lspDocumentKind,
			"location": lspLocationOf(o.Location),
		})
	}
	return all, nil
}

// The commands. Their results are texts.
const (
	lspStored   = "crdsem.stored"   // of a URI and a line: the object as it is stored
	lspSkeleton = "crdsem.skeleton" // of an apiVersion and a kind: the smallest object
)

func (s *lspServer) execute(ctx context.Context, p struct {
	Command   string            `json:"command"`
	Arguments []json.RawMessage `json:"arguments"`
}) (any, error) {
	if len(p.Arguments) != 2 {
		return nil, fmt.Errorf("%s has two arguments, got %d", p.Command, len(p.Arguments))
	}
	var first, second string
	var line int
	err := json.Unmarshal(p.Arguments[0], &first)
	switch {
	case err != nil:
	case p.Command == lspStored:
		if err = json.Unmarshal(p.Arguments[1], &line); err == nil {
			return s.workspace.Stored(ctx, pathOfURI(first), line)
		}
	case p.Command == lspSkeleton:
		if err = json.Unmarshal(p.Arguments[1], &second); err == nil {
			return s.workspace.Skeleton(ctx, first, second)
		}
	default:
		return nil, fmt.Errorf("%s is no command", p.Command)
	}
	return nil, fmt.Errorf("%s: %w", p.Command, err)
}
