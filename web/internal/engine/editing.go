package engine

import (
	"context"
	"fmt"

	"github.com/crdsem/crdsem/internal/app/edit"
	"github.com/crdsem/crdsem/internal/app/judge"
	"github.com/crdsem/crdsem/minors"
)

// editRequest is a request of the operation edit: a question about a place of a
// text. Lines and columns count from 0, columns in units of UTF-16.
type editRequest struct {
	ID         string `json:"id"`
	Op         string `json:"op"`
	Kubernetes string `json:"kubernetes"`
	// Texts are all texts of the page by their names, and In names one.
	Texts  map[string]string `json:"texts"`
	In     string            `json:"in"`
	Want   string            `json:"want"` // completions, hover or actions
	Line   int               `json:"line"`
	Column int               `json:"column"`
	// Last is the last line whose findings actions fix. Line is the first.
	Last int `json:"last"`
}

// editAnswer is the answer to an editRequest; it has what was wanted.
type editAnswer struct {
	ID          string            `json:"id"`
	Completions []edit.Completion `json:"completions,omitempty"`
	Hover       string            `json:"hover,omitempty"`
	Actions     []edit.Action     `json:"actions,omitempty"`
}

// edited answers the operation edit.
func (e *Engine) edited(ctx context.Context, request []byte) (*editAnswer, error) {
	var req editRequest
	if err := decode(request, &req); err != nil {
		return nil, err
	}
	minor, err := minorOf(req.Kubernetes)
	if err != nil {
		return nil, err
	}
	w := e.workspace(minor, req.Texts)
	at := edit.Position{Line: req.Line, Column: req.Column}
	out := &editAnswer{ID: req.ID}
	switch req.Want {
	case "completions":
		out.Completions = w.Complete(ctx, req.In, at)
	case "hover":
		out.Hover = w.Hover(ctx, req.In, at)
	case "actions":
		out.Actions, err = w.Actions(ctx, req.In, req.Line, req.Last)
	default:
		err = fmt.Errorf(`want %q is not known: want "completions", "hover" or "actions"`, req.Want)
	}
	return out, err
}

// workspace returns a workspace with texts. That of the last request is used
// again, with what it compiled, if it is of the same minor.
func (e *Engine) workspace(minor minors.Minor, texts map[string]string) *edit.Workspace {
	e.editing.Lock()
	defer e.editing.Unlock()
	isNew := e.editor == nil || e.editorOf != minor
	if isNew {
		e.editor, e.editorOf = edit.NewWorkspace(edit.UTF16), minor
		e.editor.Configure(edit.Settings{
			Kubernetes: []minors.Minor{minor}, BuiltIn: judge.ByStructure,
		})
	}
	for name, text := range texts {
		if isNew || e.editor.Text(name) != text {
			e.editor.Set(name, text)
		}
	}
	return e.editor
}
