// Package contexts finds the exported functions that take a context, for tests
// that each of them ends with it.
package contexts

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// late is the processor time that a function may take whose context ends after
// a moment. Other programs do not count.
const (
	allowed = 50 * time.Millisecond
	late    = time.Second
)

// Run calls each function with a context that ends soon, and with one that has
// ended. The rows must be those of the folder's public packages, e.g.
// "kit/upgrade Compare", and of the internal packages named by internal.
func Run(
	t *testing.T, folder string, rows map[string]func(ctx context.Context), internal ...string,
) {
	t.Helper()
	found := functions(t, folder, folder)
	for _, name := range internal {
		found = append(found, functions(t, folder, filepath.Join(folder, name))...)
	}
	for _, name := range found {
		if rows[name] == nil {
			t.Errorf("%s takes a context and has no row", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(rows)) {
		call := rows[name]
		if !slices.Contains(found, name) {
			t.Errorf("%s is no exported function with a context", name)
			continue
		}
		for _, after := range []time.Duration{allowed, 0} {
			ctx, cancel := context.WithTimeout(t.Context(), after)
			start := processorTime(t)
			call(ctx)
			if took := processorTime(t) - start; took > late {
				t.Errorf("%s: took %v, the context ended after %v", name, took, after)
			}
			cancel()
		}
	}
}

// left are folders of what is not exported, or not for programs.
var left = []string{"internal", "cmd", "conformance", "examples", "testdata"}

// isLeft reports whether a folder is one of those, hidden, or of another
// module.
func isLeft(folder string) bool {
	name := filepath.Base(folder)
	_, err := os.Stat(filepath.Join(folder, "go.mod"))
	return err == nil || slices.Contains(left, name) || strings.HasPrefix(name, ".")
}

// functions returns the exported functions and methods of exported types that
// take a context, of all packages below a place in a folder, with the folders
// of their packages.
func functions(t *testing.T, folder, place string) (names []string) {
	t.Helper()
	err := filepath.WalkDir(place, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && path != place && isLeft(path):
			return filepath.SkipDir
		case entry.IsDir(), !strings.HasSuffix(path, ".go"), strings.HasSuffix(path, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		in, err := filepath.Rel(folder, filepath.Dir(path))
		for _, declared := range file.Decls {
			f, ok := declared.(*ast.FuncDecl)
			if !ok || !f.Name.IsExported() || !takesContext(f.Type) {
				continue
			}
			if of := receiver(f); of == "" || ast.IsExported(of) {
				name := strings.TrimPrefix(of+"."+f.Name.Name, ".")
				names = append(names, filepath.ToSlash(in)+" "+name)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func takesContext(f *ast.FuncType) bool {
	return slices.ContainsFunc(f.Params.List, func(p *ast.Field) bool {
		of, ok := p.Type.(*ast.SelectorExpr)
		return ok && of.Sel.Name == "Context"
	})
}

// receiver returns the name of a method's type, empty for a function.
func receiver(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return ""
	}
	of := f.Recv.List[0].Type
	if pointer, ok := of.(*ast.StarExpr); ok {
		of = pointer.X
	}
	if generic, ok := of.(*ast.IndexExpr); ok {
		of = generic.X
	}
	name, ok := of.(*ast.Ident)
	if !ok {
		return ""
	}
	return name.Name
}
