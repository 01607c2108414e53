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

	"github.com/crdsem/crdsem/edit"
	"github.com/crdsem/crdsem/internal/base/visible"
	"github.com/crdsem/crdsem/manifest/files"
	"github.com/crdsem/crdsem/minors"
)

// lspConfig is what a server is started with.
type lspConfig struct {
	// Version is that of the program.
	Version string
	// Kubernetes is the minor whose server judges.
	Kubernetes minors.Minor
	// Definitions are files and folders with definitions, next to those of the
	// workspace.
	Definitions []string
	// Link returns the address of a rule's text, empty without one.
	Link func(rule string) string
}

// serveLSP answers requests until the input ends or the client says exit. The
// error is that of the connection.
func serveLSP(ctx context.Context, in io.Reader, out io.WriteCloser, c lspConfig) error {
	s := &lspServer{config: c, open: map[string]*lspDocument{}, ctx: ctx}
	s.workspace = edit.NewWorkspace(edit.UTF16, edit.Kubernetes(c.Kubernetes))
	s.rpc = jrpc2.NewServer(s.methods(), &jrpc2.ServerOptions{
		AllowPush: true, DisableBuiltin: true, NewContext: func() context.Context { return ctx },
	})
	s.rpc.Start(channel.LSP(in, out))
	stop := context.AfterFunc(ctx, s.rpc.Stop)
	defer stop()
	status := s.rpc.WaitStatus()
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

	mu        sync.Mutex
	workspace *edit.Workspace
	open      map[string]*lspDocument // by URI
	folders   []string
	pulls     bool // the client asks for diagnostics
	running   sync.WaitGroup
}

// lspDocument is an open document. cancel ends the diagnosis of its last text.
type lspDocument struct {
	version int
	cancel  context.CancelFunc
}

// methods returns the requests that are answered. A panic is an error of its
// request.
func (s *lspServer) methods() handler.Map {
	m := handler.Map{
		"initialize": handler.New(s.initialize),
		"initialized": handler.New(func(context.Context, json.RawMessage) error {
			s.load()
			return nil
		}),
		"shutdown":                        handler.New(func(context.Context) error { return nil }),
		"exit":                            handler.New(s.exit),
		"textDocument/didOpen":            handler.New(s.didOpen),
		"textDocument/didChange":          handler.New(s.didChange),
		"textDocument/didClose":           handler.New(s.didClose),
		"textDocument/diagnostic":         handler.New(s.pull),
		"textDocument/completion":         handler.New(s.complete),
		"textDocument/hover":              handler.New(s.hover),
		"textDocument/codeAction":         handler.New(s.actions),
		"workspace/didChangeWatchedFiles": handler.New(s.filesChanged),
		"$/cancelRequest": handler.New(func(_ context.Context, p struct {
			ID json.RawMessage `json:"id"`
		}) error {
			s.rpc.CancelRequest(string(p.ID))
			return nil
		}),
		"$/setTrace": handler.New(func(context.Context, json.RawMessage) error { return nil }),
	}
	for name, do := range m {
		m[name] = guarded(do)
	}
	return m
}

// exit ends the server after it has returned.
func (s *lspServer) exit(context.Context) error {
	go s.rpc.Stop()
	return nil
}

func guarded(do jrpc2.Handler) jrpc2.Handler {
	return func(ctx context.Context, r *jrpc2.Request) (result any, err error) {
		defer func() {
			if problem := recover(); problem != nil {
				err = fmt.Errorf("%s failed: %v", r.Method(), problem)
			}
		}()
		return do(ctx, r)
	}
}

type lspInitialization struct {
	RootURI          string                 `json:"rootUri"`
	WorkspaceFolders []struct{ URI string } `json:"workspaceFolders"`
	Capabilities     struct {
		General struct {
			PositionEncodings []edit.Encoding `json:"positionEncodings"`
		} `json:"general"`
		TextDocument struct {
			Diagnostic json.RawMessage `json:"diagnostic"`
		} `json:"textDocument"`
	} `json:"capabilities"`
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
	s.workspace = edit.NewWorkspace(encoding, edit.Kubernetes(s.config.Kubernetes))
	for _, folder := range p.WorkspaceFolders {
		s.folders = append(s.folders, pathOfURI(folder.URI))
	}
	if len(s.folders) == 0 && p.RootURI != "" {
		s.folders = []string{pathOfURI(p.RootURI)}
	}
	capabilities := map[string]any{
		"positionEncoding":   encoding,
		"textDocumentSync":   map[string]any{"openClose": true, "change": 2},
		"hoverProvider":      true,
		"completionProvider": map[string]any{"triggerCharacters": []string{".", " ", ":", "-"}},
		"codeActionProvider": map[string]any{"codeActionKinds": []string{"quickfix"}},
	}
	if s.pulls = p.Capabilities.TextDocument.Diagnostic != nil; s.pulls {
		capabilities["diagnosticProvider"] = map[string]any{
			"identifier": "crdsem", "interFileDependencies": true, "workspaceDiagnostics": false,
		}
	}
	return map[string]any{
		"capabilities": capabilities,
		"serverInfo":   map[string]string{"name": "crdsem", "version": s.config.Version},
	}, nil
}

// largestFile is the size of a file that is read for its definitions.
const largestFile = 16 << 20

// load reads the definitions of the folders, and then says what is wrong with
// the open documents.
func (s *lspServer) load() {
	s.running.Go(func() {
		for _, source := range files.Find(append(s.config.Definitions, s.folders...), nil) {
			if s.ctx.Err() != nil {
				return
			}
			if source.Err == nil {
				s.read(source.Path())
			}
		}
		s.refresh()
	})
}

// read takes over a file with definitions, unless it is open.
func (s *lspServer) read(path string) {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() ||
		info.Size() > largestFile || s.isOpen(path) {
		return
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return
	}
	before := len(s.workspace.DefinitionFiles())
	s.workspace.Set(s.ctx, path, string(text))
	if len(s.workspace.DefinitionFiles()) == before && !slices.Contains(
		s.workspace.DefinitionFiles(), path) {
		s.workspace.Remove(path) // only definitions are kept of files that are not open
	}
}

func (s *lspServer) isOpen(path string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for uri := range s.open {
		if pathOfURI(uri) == path {
			return true
		}
	}
	return false
}

func (s *lspServer) didOpen(_ context.Context, p struct {
	TextDocument struct {
		lspIdentifier
		Text string `json:"text"`
	} `json:"textDocument"`
}) error {
	s.workspace.Set(s.ctx, pathOfURI(p.TextDocument.URI), p.TextDocument.Text)
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
			s.workspace.Set(s.ctx, name, change.Text)
			edits = nil
			continue
		}
		edits = append(edits, edit.Edit{Range: change.Range.edit(), Text: change.Text})
	}
	if len(edits) > 0 {
		s.workspace.Change(s.ctx, name, edits...)
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
	s.workspace.Remove(pathOfURI(p.TextDocument.URI))
	s.read(pathOfURI(p.TextDocument.URI))
	return s.notify("textDocument/publishDiagnostics",
		map[string]any{"uri": p.TextDocument.URI, "diagnostics": []lspDiagnostic{}})
}

func (s *lspServer) filesChanged(_ context.Context, p struct {
	Changes []struct{ URI string } `json:"changes"`
}) error {
	for _, change := range p.Changes {
		if path := pathOfURI(change.URI); !s.isOpen(path) {
			s.workspace.Remove(path)
			s.read(path)
		}
	}
	s.refresh()
	return nil
}

func (s *lspServer) notify(method string, params any) error {
	return s.rpc.Notify(s.ctx, method, params)
}

// harmlessText returns a text of the user's as it may be printed.
func harmlessText(t string) string { return visible.Line(t) }
