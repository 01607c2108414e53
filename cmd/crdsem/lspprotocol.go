package main

import (
	"cmp"
	"net/url"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/crdsem/crdsem/internal/app/edit"
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
	FilterText    string      `json:"filterText,omitempty"`
	TextEdit      lspTextEdit `json:"textEdit"`

	InsertTextMode int `json:"insertTextMode,omitempty"`
}

type lspAction struct {
	Title       string           `json:"title"`
	Kind        string           `json:"kind"`
	Diagnostics []lspDiagnostic  `json:"diagnostics,omitempty"`
	IsPreferred bool             `json:"isPreferred,omitempty"`
	Edit        lspWorkspaceEdit `json:"edit"`
}

type lspWorkspaceEdit struct {
	Changes map[string][]lspTextEdit `json:"changes"`
}

type lspLocation struct {
	URI   string   `json:"uri"`
	Range lspRange `json:"range"`
}

type lspInlay struct {
	Position    lspPosition `json:"position"`
	Label       string      `json:"label"`
	Tooltip     string      `json:"tooltip,omitempty"`
	PaddingLeft bool        `json:"paddingLeft"`
}

type lspSymbol struct {
	Name           string      `json:"name"`
	Detail         string      `json:"detail,omitempty"`
	Kind           int         `json:"kind"`
	Range          lspRange    `json:"range"`
	SelectionRange lspRange    `json:"selectionRange"`
	Children       []lspSymbol `json:"children"`
}

type lspSelection struct {
	Range  lspRange      `json:"range"`
	Parent *lspSelection `json:"parent,omitempty"`
}

// The kinds of symbols.
const (
	lspKeyKind      = 20
	lspDocumentKind = 19
)

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

func lspEditsOf(uri string, edits []edit.Edit) lspWorkspaceEdit {
	all := make([]lspTextEdit, len(edits))
	for i, e := range edits {
		all[i] = lspEditOf(e)
	}
	return lspWorkspaceEdit{map[string][]lspTextEdit{uri: all}}
}

func lspLocationOf(l edit.Location) lspLocation {
	return lspLocation{uriOfPath(l.File), lspRangeOf(l.Range)}
}

func lspSymbolsOf(symbols []*edit.Symbol) []lspSymbol {
	all := make([]lspSymbol, len(symbols))
	for i, s := range symbols {
		all[i] = lspSymbol{
			Name: cmp.Or(harmlessText(s.Name), `""`), Detail: harmlessText(s.Detail), Kind: lspKeyKind,
			Range: lspRangeOf(s.Range), SelectionRange: lspRangeOf(s.Selection),
			Children: lspSymbolsOf(s.Children),
		}
		if s.IsDocument {
			all[i].Kind = lspDocumentKind
		}
	}
	return all
}

func (p lspDocumentPosition) path() string { return pathOfURI(p.TextDocument.URI) }

// uriOfPath returns the URI of a file. A name that is no path is a URI already.
func uriOfPath(path string) string {
	if !filepath.IsAbs(path) {
		return path
	}
	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed
	}
	return (&url.URL{Scheme: "file", Path: slashed}).String()
}

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
