package manifest

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Find returns the sources that some paths name. A folder stands for the files
// below it that end in .yaml, .yml or .json, in byte order of paths. Folders
// whose name starts with a dot, and links to folders, are left out. A glob
// stands for what it matches. A path that cannot be read is a Source with an
// Err.
//
// FIFOs and devices are left out of a folder, too: reading them may never end.
// A pipe that is named itself is read, and "-" names stdin, unless it is nil. A
// path that is named twice is read once.
func Find(paths []string, stdin io.Reader) []*Source {
	f := search{stdin: stdin, seen: map[string]bool{}}
	for _, path := range paths {
		f.path(path)
	}
	return f.sources
}

type search struct {
	stdin   io.Reader
	sources []*Source
	seen    map[string]bool
	named   int // files so far, also those that were seen before
}

func (f *search) add(s *Source) {
	f.named++
	if path := s.Path(); !f.seen[path] {
		f.seen[path] = true
		f.sources = append(f.sources, s)
	}
}

func (f *search) fail(path string, err error) {
	f.add(&Source{Name: path, Err: placed(path, err)})
}

// placed returns an error with the path as its position. The operation and the
// path in errors of the file system say the same.
func placed(path string, err error) error {
	if inner := (*fs.PathError)(nil); errors.As(err, &inner) {
		err = inner.Err
	}
	if placed := (*Error)(nil); errors.As(err, &placed) {
		return placed
	}
	return &Error{Position: Position{File: path}, Err: err}
}

func (f *search) path(path string) {
	if path == "-" && f.stdin != nil {
		f.add(Stream(Stdin, f.stdin))
		return
	}
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		f.folder(path)
	case err == nil:
		f.add(&Source{Name: path})
	case errors.Is(err, fs.ErrNotExist) && isGlob(path):
		f.glob(path)
	default:
		f.fail(path, err)
	}
}

func (f *search) glob(pattern string) {
	matches, err := matching(pattern)
	if err != nil {
		f.fail(pattern, err)
	}
	for _, match := range matches {
		f.path(match)
	}
}

// matching returns the paths that a glob stands for. It fails if none match.
func matching(pattern string) ([]string, error) {
	matches, err := filepath.Glob(pattern)
	if err == nil && len(matches) == 0 {
		err = errors.New("no file matches")
	}
	return matches, err
}

// Expand returns some paths with what globs match in their place. A path that
// exists is no glob.
func Expand(paths []string) ([]string, error) {
	var all []string
	for _, path := range paths {
		if _, err := os.Stat(path); err == nil || !isGlob(path) {
			all = append(all, path)
			continue
		}
		matches, err := matching(path)
		if err != nil {
			return nil, placed(path, err)
		}
		all = append(all, matches...)
	}
	return all, nil
}

func isGlob(path string) bool { return strings.ContainsAny(path, "*?[") }

// extensions are those of manifests in a folder.
var extensions = []string{".yaml", ".yml", ".json"}

func (f *search) folder(root string) {
	before := f.named
	// A link to a folder is followed if it was named, with its slash.
	walked := filepath.Clean(root) + string(filepath.Separator)
	_ = filepath.WalkDir(walked, func(path string, entry fs.DirEntry, err error) error {
		name := filepath.Join(root, strings.TrimPrefix(path, walked))
		switch {
		case err != nil:
			f.fail(name, err)
			return nil
		case entry.IsDir() && path != walked && strings.HasPrefix(entry.Name(), "."):
			return filepath.SkipDir
		case !slices.Contains(extensions, strings.ToLower(filepath.Ext(path))):
			return nil
		}
		switch info, err := os.Stat(path); {
		case err != nil:
			f.fail(name, err)
		case info.Mode().IsRegular():
			f.add(&Source{Name: name, InFolder: true})
		}
		return nil
	})
	if f.named == before {
		f.fail(root, fmt.Errorf("the folder has no file that ends in %s",
			strings.Join(extensions, ", ")))
	}
}
