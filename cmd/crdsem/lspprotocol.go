package main

import (
	"net/url"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/crdsem/crdsem/edit"
)

// The parts of the Language Server Protocol 3.17 that are used, by their names
// there.

type lspPosition struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

type lspRange struct {
	Start lspPosition `json:"start"`
	End   lspPosition `json:"end"`
}

type lspTextEdit struct {
	Range   lspRange `json:"range"`
	NewText string   `json:"newText"`
}

type lspIdentifier struct {
	URI     string `json:"uri"`
	Version int    `json:"version"`
}

type lspDocumentPosition struct {
	TextDocument lspIdentifier `json:"textDocument"`
	Position     lspPosition   `json:"position"`
}

type lspDiagnostic struct {
	Range           lspRange     `json:"range"`
	Severity        int          `json:"severity"`
	Code            string       `json:"code,omitempty"`
	CodeDescription *lspCodeLink `json:"codeDescription,omitempty"`
	Source          string       `json:"source"`
	Message         string       `json:"message"`
}

type lspCodeLink struct {
	Href string `json:"href"`
}

type lspCompletion struct {
	Label         string      `json:"label"`
	Kind          int         `json:"kind"`
	Detail        string      `json:"detail,omitempty"`
	Documentation string      `json:"documentation,omitempty"`
	SortText      string      `json:"sortText"`
	TextEdit      lspTextEdit `json:"textEdit"`
}

type lspAction struct {
	Title       string           `json:"title"`
	Kind        string           `json:"kind"`
	Diagnostics []lspDiagnostic  `json:"diagnostics"`
	IsPreferred bool             `json:"isPreferred,omitempty"`
	Edit        lspWorkspaceEdit `json:"edit"`
}

type lspWorkspaceEdit struct {
	Changes map[string][]lspTextEdit `json:"changes"`
}

func lspRangeOf(r edit.Range) lspRange {
	return lspRange{
		lspPosition{r.Start.Line, r.Start.Column}, lspPosition{r.End.Line, r.End.Column},
	}
}

func (r lspRange) edit() edit.Range { return edit.Range{Start: r.Start.edit(), End: r.End.edit()} }

func (p lspPosition) edit() edit.Position {
	return edit.Position{Line: p.Line, Column: p.Character}
}

func lspEditOf(e edit.Edit) lspTextEdit { return lspTextEdit{lspRangeOf(e.Range), e.Text} }

// pathOfURI returns the path of a file, or the URI if it names no file.
func pathOfURI(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" {
		return uri
	}
	path := u.Path
	if runtime.GOOS == "windows" {
		path = strings.TrimPrefix(path, "/")
	}
	return filepath.FromSlash(path)
}
