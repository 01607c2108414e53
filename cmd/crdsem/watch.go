package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"
)

// quiet is how long no file changes before a command runs again.
const quiet = 100 * time.Millisecond

// watching is a command that runs again whenever a file changes.
type watching struct {
	// paths are the files and folders that the command is given.
	paths []string
	// words takes what is not the command's output.
	words io.Writer
	// isInput reports whether the command can depend on a file.
	isInput func(file string) bool
	// once runs the command. It returns more files and folders that it read.
	once func() []string
}

// run runs the command until the context ends. Changes during a run count.
func (w *watching) run(ctx context.Context) (err error) {
	changes, err := fsnotify.NewWatcher()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, changes.Close()) }()
	if err := watchPaths(changes, w.paths); err != nil {
		return err
	}
	for {
		if err := watchPaths(changes, append(w.once(), w.paths...)); err != nil {
			return err
		}
		fmt.Fprintln(w.words, "watching; press Ctrl-C to end")
		if !w.wait(ctx, changes) {
			return nil
		}
	}
}

// watchPaths asks for the changes of files, and for those in folders and below
// them. The folder of a path that is gone says when it comes back.
func watchPaths(changes *fsnotify.Watcher, paths []string) error {
	for _, path := range paths {
		if info, err := os.Stat(path); err != nil || !info.IsDir() {
			err := changes.Add(filepath.Dir(path))
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return fmt.Errorf("%s cannot be watched: %w", path, err)
			}
			continue
		}
		err := filepath.WalkDir(path, func(at string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return nil
			case !entry.IsDir():
				return nil
			case at != path && strings.HasPrefix(entry.Name(), "."):
				return fs.SkipDir
			}
			if err := changes.Add(at); err != nil {
				return fmt.Errorf("%s cannot be watched: %w", at, err)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// wait waits until files changed and no more do. It returns false if the
// context ended.
func (w *watching) wait(ctx context.Context, changes *fsnotify.Watcher) bool {
	var settled <-chan time.Time
	for {
		select {
		case <-ctx.Done():
			return false
		case event := <-changes.Events:
			isFolder := filepath.Ext(event.Name) == ""
			if event.Op != fsnotify.Chmod && (isFolder || w.isInput(event.Name)) {
				settled = time.After(quiet)
			}
		case err := <-changes.Errors: // e.g. events were lost: look again
			fmt.Fprintln(w.words, err)
			settled = time.After(quiet)
		case <-settled:
			return true
		}
	}
}

// isManifest reports whether a file can be a manifest.
func isManifest(file string) bool {
	switch filepath.Ext(file) {
	case ".yaml", ".yml", ".json":
		return true
	}
	return false
}
