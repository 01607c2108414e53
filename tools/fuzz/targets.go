package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A target is a fuzz test.
type target struct {
	folder string // of its package, relative to the root, e.g. "prune"
	name   string // e.g. "FuzzValue"
}

func (t target) String() string { return t.folder + " " + t.name }

// findTargets returns the fuzz targets below the root in order of their names.
// Folders that the go command ignores are left out, and so are folders of what
// is built and of npm's packages.
func findTargets(root string) (targets []target, err error) {
	err = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := entry.Name()
		if entry.IsDir() {
			if path != root && isIgnored(name) {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, "_test.go") {
			return nil
		}
		names, err := targetsOf(path)
		if err != nil {
			return err
		}
		folder, err := filepath.Rel(root, filepath.Dir(path))
		for _, name := range names {
			targets = append(targets, target{filepath.ToSlash(folder), name})
		}
		return err
	})
	return targets, err
}

func isIgnored(folder string) bool {
	return slices.Contains([]string{"testdata", "dist", "node_modules"}, folder) ||
		strings.ContainsAny(folder[:1], "._")
}

// targetsOf returns the names of the fuzz targets in a file.
func targetsOf(path string) (names []string, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	file, err := parser.ParseFile(token.NewFileSet(), path, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	for _, decl := range file.Decls {
		fn, ok := decl.(*ast.FuncDecl)
		if ok && fn.Recv == nil && strings.HasPrefix(fn.Name.Name, "Fuzz") && takesF(fn.Type) {
			names = append(names, fn.Name.Name)
		}
	}
	return names, nil
}

// takesF reports whether the function has one parameter, of type *testing.F.
func takesF(fn *ast.FuncType) bool {
	if len(fn.Params.List) != 1 {
		return false
	}
	star, ok := fn.Params.List[0].Type.(*ast.StarExpr)
	if !ok {
		return false
	}
	selector, ok := star.X.(*ast.SelectorExpr)
	return ok && selector.Sel.Name == "F"
}
