package corpus

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"sigs.k8s.io/yaml"
)

// variable names the environment variable that holds the corpus folder.
const variable = "CRDSEM_CORPUS"

// TB is the part of testing.TB that is needed, so that programs that are not
// tests do not link package testing.
type TB interface {
	Helper()
	Skipf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// Path returns the folder that CRDSEM_CORPUS names. It is empty if the variable
// is not set.
func Path() string { return os.Getenv(variable) }

// Folder returns the folder of the corpus. Without a corpus the test is
// skipped.
func Folder(t TB) string {
	t.Helper()
	folder := Path()
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		t.Skipf("no corpus of real definitions and objects in %s: let %s name its folder",
			cmp.Or(folder, "this environment"), variable)
	}
	return folder
}

// File is a manifest of the corpus.
type File struct {
	// Path is the path from which the file was read.
	Path string
	// Text is YAML as its project wrote it.
	Text []byte
}

// Name returns the last element of the path, which names a definition and its
// variant.
func (f File) Name() string { return filepath.Base(f.Path) }

// Definitions returns the definitions of all projects, ordered by path.
func Definitions(t TB) []File {
	t.Helper()
	var files []File
	for _, path := range find(t, "*/crds/*.yaml") {
		files = append(files, read(t, path))
	}
	return files
}

// find returns the paths of the corpus that match a pattern. No match is an
// error.
func find(t TB, pattern string) []string {
	t.Helper()
	folder := Folder(t)
	matches, err := fs.Glob(os.DirFS(folder), pattern)
	if err != nil || len(matches) == 0 {
		t.Fatalf("the corpus in %s has no %s (error %v)", folder, pattern, err)
	}
	for i, match := range matches {
		matches[i] = filepath.Join(folder, match)
	}
	return matches
}

// Manifests returns all manifests below a folder of the corpus, or below the
// corpus itself, ordered by path. If the name is that of a file, it returns
// that file. A manifest of a suite may hold several documents.
func Manifests(t TB, folder ...string) []File {
	t.Helper()
	var files []File
	root := filepath.Join(append([]string{Folder(t)}, folder...)...)
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && filepath.Ext(path) == ".yaml" {
			files = append(files, read(t, path))
		}
		return err
	})
	if err != nil {
		t.Fatalf("%v", err)
	}
	return files
}

// Object is an object of the corpus with the facts that the corpus records
// about it.
type Object struct {
	File
	// Definition is the path of the object's definition. It is empty if no
	// definition has the object's version.
	Definition string
	// Version is the object's version if a definition has it.
	Version string
	// Valid is true if the real code finds no error in the object.
	Valid bool
}

// Objects returns the objects of all projects, ordered by project.
func Objects(t TB) []Object {
	t.Helper()
	var objects []Object
	for _, list := range find(t, "*/UPSTREAM.tsv") {
		project := filepath.Dir(list)
		for line := range strings.Lines(string(read(t, list).Text)) {
			cells := strings.Split(strings.TrimRight(line, "\n"), "\t")
			if !strings.HasPrefix(cells[0], "objects/") {
				continue
			}
			if len(cells) < 4 {
				t.Fatalf("%s: a short line: %q", list, line)
			}
			o := Object{File: read(t, filepath.Join(project, cells[0])), Valid: cells[3] == "valid"}
			if cells[1] != "" && cells[2] != "" {
				o.Definition, o.Version = filepath.Join(project, cells[1]), cells[2]
			}
			objects = append(objects, o)
		}
	}
	return objects
}

// Schema is the schema of one version of a definition.
type Schema struct {
	// Definition is the path of the definition.
	Definition string
	// Group, Version and Kind are those of the objects.
	Group, Version, Kind string
	// Text is JSON.
	Text json.RawMessage
}

// String names the definition's file and the version.
func (s Schema) String() string { return filepath.Base(s.Definition) + " " + s.Version }

// Schemas returns the schemas of all versions of all definitions, ordered by
// path.
func Schemas(t TB) []Schema {
	t.Helper()
	var schemas []Schema
	for _, file := range Definitions(t) {
		found, err := file.Schemas()
		if err != nil {
			t.Fatalf("%v", err)
		}
		schemas = append(schemas, found...)
	}
	return schemas
}

// Schemas returns the schemas of all versions of the definition that the file
// holds. The error is one of decoding.
func (f File) Schemas() ([]Schema, error) {
	var definition struct {
		Spec struct {
			Group    string
			Names    struct{ Kind string }
			Versions []struct {
				Name   string
				Schema struct{ OpenAPIV3Schema json.RawMessage }
			}
		}
	}
	if err := yaml.Unmarshal(f.Text, &definition); err != nil {
		return nil, fmt.Errorf("%s: %w", f.Path, err)
	}
	spec := definition.Spec
	var schemas []Schema
	for _, v := range spec.Versions {
		if text := v.Schema.OpenAPIV3Schema; len(text) > 0 {
			schemas = append(schemas, Schema{f.Path, spec.Group, v.Name, spec.Names.Kind, text})
		}
	}
	return schemas, nil
}

func read(t TB, path string) File {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return File{path, text}
}
