package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"

	"github.com/creachadair/jrpc2"
	"github.com/creachadair/jrpc2/channel"
	"github.com/creachadair/jrpc2/handler"

	"github.com/crdsem/crdsem/internal/app/edit"
	"github.com/crdsem/crdsem/internal/kit/visible"
)

// lspRequests is how many requests are answered at a time.
const lspRequests = 8

// serveLSP answers requests until the input ends or the client says exit. The
// error is that of the connection.
func serveLSP(ctx context.Context, in io.Reader, out io.WriteCloser, c lspConfig) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := &lspServer{
		config: c, ctx: ctx, open: map[string]*lspDocument{}, loaded: map[string]int{},
	}
	s.workspace = edit.NewWorkspace(edit.UTF16)
	s.rpc = jrpc2.NewServer(s.methods(), &jrpc2.ServerOptions{
		AllowPush: true, DisableBuiltin: true, Concurrency: lspRequests,
		NewContext: func() context.Context { return ctx },
	})
	// The server waits for its input, which no one can close: a pipe can be.
	read, write := io.Pipe()
	go func() {
		_ = write.CloseWithError(copyFrames(write, in)) // it never fails
	}()
	s.stop = func() {
		_ = read.Close() // it never fails
		s.rpc.Stop()
	}
	s.rpc.Start(channel.LSP(read, out))
	stop := context.AfterFunc(ctx, s.stop)
	defer stop()
	status := s.rpc.WaitStatus()
	cancel()
	s.running.Wait()
	if status.Stopped || status.Closed {
		return nil
	}
	return status.Err
}

// lspServer has the documents that are open.
type lspServer struct {
	config lspConfig
	ctx    context.Context
	rpc    *jrpc2.Server
	stop   func()

	mu        sync.Mutex
	workspace *edit.Workspace
	settings  *lspSettings
	open      map[string]*lspDocument // by URI
	folders   []string
	client    lspClient
	loading   context.CancelFunc // ends the load that is under way
	loaded    map[string]int     // the files that were read, with the bytes that count
	kept      int                // their sum
	running   sync.WaitGroup
}

// lspDocument is an open document. cancel ends the diagnosis of its last text.
type lspDocument struct {
	version    int
	cancel     context.CancelFunc
	publishing sync.Mutex
}

// lspClient is what the client can do. One that knows no snippets may insert
// nothing but single lines, as Neovim's own completion.
type lspClient struct{ pulls, watches, showsProgress, hasSnippets bool }

// methods returns the requests that are answered. A panic is an error of its
// request.
func (s *lspServer) methods() handler.Map {
	m := handler.Map{
		"initialize":                          handler.New(s.initialize),
		"initialized":                         handler.New(s.initialized),
		"shutdown":                            handler.New(ignored),
		"exit":                                handler.New(s.exit),
		"textDocument/didOpen":                handler.New(s.didOpen),
		"textDocument/didChange":              handler.New(s.didChange),
		"textDocument/didClose":               handler.New(s.didClose),
		"textDocument/didSave":                handler.New(ignored),
		"textDocument/diagnostic":             handler.New(s.pull),
		"textDocument/completion":             handler.New(s.complete),
		"textDocument/hover":                  handler.New(s.hover),
		"textDocument/codeAction":             handler.New(s.actions),
		"textDocument/definition":             handler.New(s.definition),
		"textDocument/references":             handler.New(s.references),
		"textDocument/rename":                 handler.New(s.rename),
		"textDocument/documentSymbol":         handler.New(s.symbols),
		"textDocument/foldingRange":           handler.New(s.folds),
		"textDocument/selectionRange":         handler.New(s.selections),
		"textDocument/documentLink":           handler.New(s.links),
		"textDocument/inlayHint":              handler.New(s.inlays),
		"workspace/symbol":                    handler.New(s.find),
		"workspace/executeCommand":            handler.New(s.execute),
		"workspace/didChangeConfiguration":    handler.New(s.reload),
		"workspace/didChangeWatchedFiles":     handler.New(s.filesChanged),
		"workspace/didChangeWorkspaceFolders": handler.New(s.foldersChanged),
		"window/workDoneProgress/cancel":      handler.New(ignored),
		"$/cancelRequest":                     handler.New(s.cancelRequest),
		"$/setTrace":                          handler.New(ignored),
	}
	for name, do := range m {
		m[name] = guarded(do)
	}
	return m
}

func ignored(context.Context, json.RawMessage) error { return nil }

func (s *lspServer) cancelRequest(_ context.Context, p struct {
	ID json.RawMessage `json:"id"`
}) error {
	s.rpc.CancelRequest(string(p.ID))
	return nil
}

// exit ends the server after it has returned.
func (s *lspServer) exit(context.Context) error {
	go s.stop()
	return nil
}

func guarded(do jrpc2.Handler) jrpc2.Handler {
	return func(ctx context.Context, r *jrpc2.Request) (result any, err error) {
		defer func() {
			if problem := recover(); problem != nil {
				err = fmt.Errorf("%s failed: %v", r.Method(), problem)
			}
		}()
		result, err = do(ctx, r)
		if ctx.Err() != nil && !r.IsNotification() {
			return nil, jrpc2.Errorf(lspCancelled, "the request was canceled")
		}
		return result, err
	}
}

// lspCancelled is the error of a request that the client canceled.
const lspCancelled jrpc2.Code = -32800

type lspInitialization struct {
	RootURI          string      `json:"rootUri"`
	WorkspaceFolders []lspFolder `json:"workspaceFolders"`
	Capabilities     struct {
		General struct {
			PositionEncodings []edit.Encoding `json:"positionEncodings"`
		} `json:"general"`
		TextDocument struct {
			Diagnostic json.RawMessage `json:"diagnostic"`
			Completion struct {
				CompletionItem struct {
					SnippetSupport bool `json:"snippetSupport"`
				} `json:"completionItem"`
			} `json:"completion"`
		} `json:"textDocument"`
		Workspace struct {
			DidChangeWatchedFiles struct {
				DynamicRegistration bool `json:"dynamicRegistration"`
			} `json:"didChangeWatchedFiles"`
		} `json:"workspace"`
		Window struct {
			WorkDoneProgress bool `json:"workDoneProgress"`
		} `json:"window"`
	} `json:"capabilities"`
}

type lspFolder struct {
	URI string `json:"uri"`
}

func (s *lspServer) initialize(_ context.Context, p lspInitialization) (any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	encoding := edit.UTF16
	for _, known := range []edit.Encoding{edit.UTF8, edit.UTF32} {
		if slices.Contains(p.Capabilities.General.PositionEncodings, known) {
			encoding = known
			break
		}
	}
	s.workspace = edit.NewWorkspace(encoding)
	for _, folder := range p.WorkspaceFolders {
		s.folders = append(s.folders, pathOfURI(folder.URI))
	}
	if len(s.folders) == 0 && p.RootURI != "" {
		s.folders = []string{pathOfURI(p.RootURI)}
	}
	s.client = lspClient{
		pulls:         p.Capabilities.TextDocument.Diagnostic != nil,
		watches:       p.Capabilities.Workspace.DidChangeWatchedFiles.DynamicRegistration,
		showsProgress: p.Capabilities.Window.WorkDoneProgress,
		hasSnippets:   p.Capabilities.TextDocument.Completion.CompletionItem.SnippetSupport,
	}
	return map[string]any{
		"capabilities": lspCapabilities(encoding, s.client),
		"serverInfo":   map[string]string{"name": "crdsem", "version": s.config.Version},
	}, nil
}

// lspCapabilities are what the server can do.
func lspCapabilities(encoding edit.Encoding, client lspClient) map[string]any {
	capabilities := map[string]any{
		"positionEncoding":        encoding,
		"textDocumentSync":        map[string]any{"openClose": true, "change": 2},
		"hoverProvider":           true,
		"completionProvider":      map[string]any{"triggerCharacters": []string{".", " ", ":", "-"}},
		"codeActionProvider":      map[string]any{"codeActionKinds": []string{"quickfix", "refactor"}},
		"definitionProvider":      true,
		"referencesProvider":      true,
		"renameProvider":          true,
		"documentSymbolProvider":  true,
		"workspaceSymbolProvider": true,
		"foldingRangeProvider":    true,
		"selectionRangeProvider":  true,
		"documentLinkProvider":    map[string]any{},
		"inlayHintProvider":       true,
		"executeCommandProvider":  map[string]any{"commands": []string{lspStored, lspSkeleton}},
		"workspace": map[string]any{
			"workspaceFolders": map[string]any{"supported": true, "changeNotifications": true},
		},
	}
	if client.pulls {
		capabilities["diagnosticProvider"] = map[string]any{
			"identifier": "crdsem", "interFileDependencies": true, "workspaceDiagnostics": false,
		}
	}
	return capabilities
}

func (s *lspServer) didOpen(_ context.Context, p struct {
	TextDocument struct {
		lspIdentifier
		Text string `json:"text"`
	} `json:"textDocument"`
}) error {
	s.workspace.Set(pathOfURI(p.TextDocument.URI), p.TextDocument.Text)
	s.changed(p.TextDocument.lspIdentifier)
	return nil
}

func (s *lspServer) didChange(_ context.Context, p struct {
	TextDocument   lspIdentifier `json:"textDocument"`
	ContentChanges []struct {
		Range *lspRange `json:"range"`
		Text  string    `json:"text"`
	} `json:"contentChanges"`
}) error {
	name := pathOfURI(p.TextDocument.URI)
	var edits []edit.Edit
	for _, change := range p.ContentChanges {
		if change.Range == nil {
			s.workspace.Set(name, change.Text)
			edits = nil
			continue
		}
		edits = append(edits, edit.Edit{Range: change.Range.edit(), Text: change.Text})
	}
	if len(edits) > 0 {
		s.workspace.Change(name, edits...)
	}
	s.changed(p.TextDocument)
	return nil
}

func (s *lspServer) didClose(_ context.Context, p struct {
	TextDocument lspIdentifier `json:"textDocument"`
}) error {
	s.mu.Lock()
	if d := s.open[p.TextDocument.URI]; d != nil && d.cancel != nil {
		d.cancel()
	}
	delete(s.open, p.TextDocument.URI)
	s.mu.Unlock()
	s.reread(pathOfURI(p.TextDocument.URI))
	return s.notify("textDocument/publishDiagnostics",
		map[string]any{"uri": p.TextDocument.URI, "diagnostics": []lspDiagnostic{}})
}

// reread takes over a file as the disk has it.
func (s *lspServer) reread(path string) {
	if _, err := os.Stat(path); err != nil {
		s.workspace.Remove(path)
		return
	}
	s.keep(s.read(s.ctx, path))
}

func (s *lspServer) notify(method string, params any) error {
	return s.rpc.Notify(s.ctx, method, params)
}

// harmlessText returns a text of the user's as it may be printed.
func harmlessText(t string) string { return visible.Line(t) }
