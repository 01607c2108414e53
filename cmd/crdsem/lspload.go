package main

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/crdsem/crdsem/cmd/crdsem/internal/config"
	"github.com/crdsem/crdsem/internal/kit/parallel"
	"github.com/crdsem/crdsem/kit/manifest"
)

// largestFile is the size of a file that is read. keptBytes is how much is kept
// of files that are not open and have no definitions: rules are evaluated on
// their objects.
const (
	largestFile = 16 << 20
	keptBytes   = 32 << 20
)

// initialized reads the workspace, and asks to be told of changes of files.
func (s *lspServer) initialized(context.Context, json.RawMessage) error {
	s.mu.Lock()
	watches := s.client.watches
	s.mu.Unlock()
	if watches {
		s.running.Go(func() {
			_, _ = s.rpc.Callback(s.ctx, "client/registerCapability", map[string]any{
				"registrations": []map[string]any{{
					"id": "crdsem-files", "method": "workspace/didChangeWatchedFiles",
					"registerOptions": map[string]any{"watchers": []map[string]any{
						{"globPattern": "**/*.{yaml,yml,json}"},
					}},
				}},
			}) // a client that cannot watch says so
		})
	}
	return s.reload(s.ctx, nil)
}

// reload reads the configuration and the definitions of the folders, and then
// says what is wrong with the open documents. A load under way ends.
func (s *lspServer) reload(context.Context, json.RawMessage) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.loading != nil {
		s.loading()
	}
	var ctx context.Context
	ctx, s.loading = context.WithCancel(s.ctx)
	folders := slices.Clone(s.folders)
	s.running.Go(func() { s.load(ctx, folders) })
	return nil
}

func (s *lspServer) load(ctx context.Context, folders []string) {
	settings, err := s.config.settingsOf(folders)
	if err != nil {
		s.say(1, err.Error())
	}
	s.mu.Lock()
	s.settings = settings
	s.mu.Unlock()
	s.forget()
	s.workspace.Configure(settings.Settings)
	report := s.progress(ctx, "Reading definitions")
	defer report(-1)
	list, err := settings.repo.Open(manifest.Find(append(settings.crds, folders...), nil))
	if err != nil {
		s.say(1, err.Error())
	}
	done := 0
	for f := range parallel.InOrder(slices.Values(list), func(source *manifest.Source) loadedFile {
		if source.Err != nil || ctx.Err() != nil {
			return loadedFile{path: source.Path(), size: -1}
		}
		return s.read(ctx, source.Path())
	}) {
		s.keep(f)
		done++
		report(100 * done / len(list))
	}
	if ctx.Err() == nil {
		s.refresh(ctx)
	}
}

// loadedFile is a file that was read. Its size is -1 if nothing of it is of
// use, and matters is set if others depend on it.
type loadedFile struct {
	path    string
	size    int
	matters bool
}

// read takes over a file, unless it is open, and checks its definitions.
func (s *lspServer) read(ctx context.Context, path string) (f loadedFile) {
	f = loadedFile{path: path, size: -1}
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > largestFile || s.isOpen(path) {
		return f
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return f
	}
	s.workspace.Set(path, string(text))
	f = loadedFile{path, len(text), s.workspace.Has(path)}
	if f.matters {
		s.workspace.Prepare(ctx, path, func() string {
			again, _ := os.ReadFile(path) // without the file there are no definitions
			return string(again)
		})
	} else if !bytes.Contains(text, []byte("apiVersion")) {
		s.workspace.Remove(path)
		f.size = -1
	}
	return f
}

// keep counts a file that was read. Of files that do not matter to others, a
// part is kept.
func (s *lspServer) keep(f loadedFile) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept -= s.loaded[f.path]
	delete(s.loaded, f.path)
	switch {
	case f.size < 0:
	case f.matters:
		s.loaded[f.path] = 0
	case s.kept+f.size <= keptBytes:
		s.loaded[f.path] = f.size
		s.kept += f.size
	default:
		s.workspace.Remove(f.path)
	}
}

// forget removes what was read before, except open documents.
func (s *lspServer) forget() {
	s.mu.Lock()
	paths := slices.Collect(maps.Keys(s.loaded))
	s.loaded, s.kept = map[string]int{}, 0
	s.mu.Unlock()
	for _, path := range paths {
		if !s.isOpen(path) {
			s.workspace.Remove(path)
		}
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

func (s *lspServer) filesChanged(ctx context.Context, p struct {
	Changes []lspFolder `json:"changes"`
}) error {
	for _, change := range p.Changes {
		path := pathOfURI(change.URI)
		if filepath.Base(path) == config.Name {
			return s.reload(ctx, nil)
		}
		if !s.isOpen(path) {
			s.reread(path)
		}
	}
	s.running.Go(func() { s.refresh(s.ctx) })
	return nil
}

func (s *lspServer) foldersChanged(ctx context.Context, p struct {
	Event struct{ Added, Removed []lspFolder } `json:"event"`
}) error {
	s.mu.Lock()
	for _, f := range p.Event.Removed {
		s.folders = slices.DeleteFunc(s.folders, func(path string) bool {
			return path == pathOfURI(f.URI)
		})
	}
	for _, f := range p.Event.Added {
		s.folders = append(s.folders, pathOfURI(f.URI))
	}
	s.mu.Unlock()
	return s.reload(ctx, nil)
}

// say shows a message of a type of the protocol: 1 is an error.
func (s *lspServer) say(kind int, text string) {
	_ = s.notify("window/showMessage", map[string]any{
		"type": kind, "message": "crdsem: " + harmlessText(text),
	}) // an error ends the connection
}

// progress begins to show progress, if the client can, and returns a function
// that reports percents; -1 is the end.
func (s *lspServer) progress(ctx context.Context, title string) func(percent int) {
	s.mu.Lock()
	shows := s.client.showsProgress
	s.mu.Unlock()
	const token = "crdsem-load"
	if shows {
		_, err := s.rpc.Callback(ctx, "window/workDoneProgress/create",
			map[string]any{"token": token})
		shows = err == nil
	}
	last := -1
	report := func(value map[string]any) {
		if shows {
			_ = s.notify("$/progress", map[string]any{"token": token, "value": value})
		}
	}
	report(map[string]any{"kind": "begin", "title": title, "percentage": 0})
	return func(percent int) {
		switch {
		case percent < 0:
			report(map[string]any{"kind": "end"})
		case percent > last:
			last = percent
			report(map[string]any{"kind": "report", "percentage": percent})
		}
	}
}
