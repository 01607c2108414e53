package kube

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/manifest"
)

// ReadFiles is [Parse] for all definitions in some files and folders, in their
// order. Of a folder it reads the files that end in .yaml, .yml or .json, also
// in folders below it. Documents of other kinds are left out.
//
// The error names the file and line of the first document that is not YAML or
// JSON, or whose definition the server refuses; it wraps the error of Parse. A
// path without a definition is an error, too.
func ReadFiles(paths []string, options ...crdsem.DefinitionOption) ([]*Definition, error) {
	var all []*Definition
	for _, path := range paths {
		files, err := manifestFiles(path)
		if err != nil {
			return nil, err
		}
		before := len(all)
		for _, file := range files {
			found, err := readFile(file, options)
			if err != nil {
				return nil, err
			}
			all = append(all, found...)
		}
		if len(all) == before {
			return nil, fmt.Errorf("%s: no CustomResourceDefinition", path)
		}
	}
	return all, nil
}

// manifestFiles returns the path of a file, or of the manifests in a folder.
func manifestFiles(path string) ([]string, error) {
	info, err := os.Stat(path)
	if err != nil || !info.IsDir() {
		return []string{path}, err
	}
	var files []string
	endings := []string{".yaml", ".yml", ".json"}
	err = filepath.WalkDir(path, func(at string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && slices.Contains(endings, filepath.Ext(at)) {
			files = append(files, at)
		}
		return err
	})
	return files, err
}

// readFile reads the definitions in a file.
func readFile(name string, options []crdsem.DefinitionOption) ([]*Definition, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var all []*Definition
	for doc, err := range manifest.Read(name, file) {
		if err != nil {
			return nil, err
		}
		found, err := parseDocument(doc, options)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// parseDocument parses a document that is a definition, or a list of them.
func parseDocument(
	doc *manifest.Document, options []crdsem.DefinitionOption,
) ([]*Definition, error) {
	object, strict, err := doc.Object()
	if err != nil {
		return nil, err
	}
	items, isList, err := doc.Items(object, strict)
	if err != nil {
		return nil, err
	}
	if !isList {
		items = []*manifest.Document{doc}
	}
	var all []*Definition
	for _, item := range items {
		content, _, err := item.Object()
		if err != nil {
			return nil, err
		}
		if content["kind"] != "CustomResourceDefinition" {
			continue
		}
		text, err := json.Marshal(content)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", item, err)
		}
		parsed, err := Parse(text, options...)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", item, err)
		}
		all = append(all, parsed)
	}
	return all, nil
}
