package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
)

// A source is one file of a package: its text, and its syntax with types.
type source struct {
	path   string // absolute
	name   string // relative to the root of the repository, e.g. prune/prune.go
	text   []byte
	syntax *ast.File
}

// A pkg is a package whose code is mutated.
type pkg struct {
	path  string // the import path
	files []source
	fset  *token.FileSet
	info  *types.Info
}

// listed is the description of a package by `go list -json`.
type listed struct {
	ImportPath, Dir, Export   string
	GoFiles                   []string
	TestGoFiles, XTestGoFiles []string
	DepOnly                   bool
}

// goList returns the packages that the arguments of go list name, e.g. "./...".
func goList(args ...string) ([]listed, error) {
	const fields = "ImportPath,Dir,Export,GoFiles,TestGoFiles,XTestGoFiles,DepOnly"
	args = append([]string{"list", "-json=" + fields}, args...)
	cmd := exec.Command("go", args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	var all []listed
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
}

// load reads and type-checks the packages that the patterns name.
func load(patterns []string) ([]*pkg, error) {
	all, err := goList(append([]string{"-export", "-deps"}, patterns...)...)
	if err != nil {
		return nil, err
	}
	exports := map[string]string{}
	for _, p := range all {
		exports[p.ImportPath] = p.Export
	}
	var packages []*pkg
	for _, p := range all {
		if p.DepOnly || len(p.GoFiles) == 0 {
			continue
		}
		checked, err := check(p, exports)
		if err != nil {
			return nil, err
		}
		packages = append(packages, checked)
	}
	return packages, nil
}

func check(p listed, exports map[string]string) (*pkg, error) {
	result := &pkg{path: p.ImportPath, fset: token.NewFileSet(), info: &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{},
	}}
	root, err := os.Getwd() // the command runs there
	if err != nil {
		return nil, err
	}
	var files []*ast.File
	for _, name := range p.GoFiles {
		path := filepath.Join(p.Dir, name)
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		syntax, err := parser.ParseFile(result.fset, path, text, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		relative, err := filepath.Rel(root, path)
		if err != nil {
			return nil, err
		}
		files = append(files, syntax)
		result.files = append(result.files, source{path: path, name: filepath.ToSlash(relative),
			text: text, syntax: syntax})
	}
	config := types.Config{Importer: importer.ForCompiler(result.fset, "gc",
		func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })}
	if _, err := config.Check(p.ImportPath, result.fset, files, result.info); err != nil {
		return nil, fmt.Errorf("%s: %w", p.ImportPath, err)
	}
	return result, nil
}
