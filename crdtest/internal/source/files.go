// Package source reads the documents of suites and definitions from files, and
// the fields of a document with the position of each mistake.
package source

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/crdsem/crdsem/manifest"
)

// maxFile is the maximum length in bytes of a file that is read as a whole.
const maxFile = 64 << 20

// ReadFile reads a file of bounded length.
func ReadFile(file string) ([]byte, error) {
	info, err := os.Stat(file)
	if err != nil {
		return nil, err
	}
	if info.Size() > maxFile {
		return nil, fmt.Errorf("%s: longer than %d MiB", file, maxFile>>20)
	}
	return os.ReadFile(file)
}

// Files returns the path itself if it is a file. Of a folder it returns
// the YAML and JSON files in it and below it, in the order of their paths.
// Hidden folders are left out.
func Files(path string) ([]string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return []string{path}, nil
	}
	var files []string
	err = filepath.WalkDir(path, func(at string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && at != path && entry.Name()[0] == '.':
			return fs.SkipDir
		case !entry.IsDir() && slices.Contains(extensions, filepath.Ext(at)):
			files = append(files, at)
		}
		return nil
	})
	return files, err
}

var extensions = []string{".yaml", ".yml", ".json"}

// Document is a document with its content. Strict are the errors of strict
// decoding, e.g. a key that occurs twice.
type Document struct {
	*manifest.Document
	Content map[string]any
	Strict  []*manifest.Error
}

// Read reads the documents of a text. The items of a list are
// documents of their own.
func Read(file string, in io.Reader) ([]Document, error) {
	var all []Document
	for doc, err := range manifest.Read(file, in) {
		if err != nil {
			return nil, err
		}
		object, strict, err := doc.Object()
		if err != nil {
			return nil, err
		}
		items, isList, err := doc.Items(object, strict)
		if err != nil {
			return nil, err
		}
		if !isList {
			all = append(all, Document{doc, object, strict})
			continue
		}
		for _, item := range items {
			object, _, err := item.Object()
			if err != nil {
				return nil, err
			}
			all = append(all, Document{item, object, nil})
		}
	}
	return all, nil
}
