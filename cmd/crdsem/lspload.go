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
	"github.com/crdsem/crdsem/internal/base/parallel"
	"github.com/crdsem/crdsem/manifest/files"
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
	list, err := settings.repo.open(files.Find(append(settings.crds, folders...), nil))
	if err != nil {
		s.say(1, err.Error())
	}
	var paths []string
	for _, source := range list {
		if ctx.Err() != nil {
			return
		}
		if source.Err == nil && s.read(source.Path()) {
			paths = append(paths, source.Path())
		}
	}
	done := 0
	for range parallel.InOrder(slices.Values(paths), func(path string) bool {
		if ctx.Err() == nil {
			s.workspace.Prepare(ctx, path)
		}
		return true
	}) {
		done++
		report(100 * done / len(paths))
	}
	if ctx.Err() == nil {
		s.refresh(ctx)
	}
}

// read takes over a file, unless it is open. It reports whether the file has
// definitions. Of other files a part is kept.
func (s *lspServer) read(path string) bool {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > largestFile || s.isOpen(path) {
		return false
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return false
	}
	s.workspace.Set(path, string(text))
	has := s.workspace.Has(path)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept -= s.loaded[path]
	s.loaded[path] = 0
	switch {
	case has:
	case s.kept+len(text) <= keptBytes && bytes.Contains(text, []byte("apiVersion")):
		s.loaded[path] = len(text)
		s.kept += len(text)
	default:
		delete(s.loaded, path)
		s.workspace.Remove(path)
	}
	return has
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
