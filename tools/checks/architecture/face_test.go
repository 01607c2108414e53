package architecture_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// What users see is a package's own: no package has an exported variable
// Internal, which is a door for other packages of this repository, and none has
// an exported alias of a type that only they can import, whose fields and
// methods go doc does not show. Options are interfaces with an unexported
// method: a function would show its argument.
func TestPublicFace(t *testing.T) {
	files := 0
	err := filepath.WalkDir("../../..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if slices.Contains([]string{".git", "testdata", "node_modules"}, entry.Name()) {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		files++
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		isPublic := !slices.Contains(strings.Split(filepath.ToSlash(path), "/"), "internal")
		for _, text := range faults(file, isPublic) {
			t.Errorf("%s: %s", path, text)
		}
		return nil
	})
	if err != nil || files < 400 {
		t.Errorf("%d files, %v", files, err)
	}
}

// The check notices each form of a door and of an alias.
func TestPublicFaceNotices(t *testing.T) {
	const imports = `package p
		import ("github.com/crdsem/crdsem/internal/belowfacade/normalize"; "github.com/crdsem/crdsem/prune"
			renamed "github.com/crdsem/crdsem/kit/generate/internal/objectgen"; "go/ast")
		`
	for code, want := range map[string]int{
		`var Internal exporter`:                               1,
		`var ( a int; b, Internal = 1, 2 )`:                   1,
		`var internal exporter`:                               0,
		`type Change = normalize.Change`:                      1,
		`type ( T int; Node = *renamed.Node )`:                1,
		`type Map = map[string][]normalize.Change`:            1,
		`type Func = func(normalize.Change) error`:            1,
		`type change = normalize.Change`:                      0,
		`type Change = prune.Change`:                          0,
		`type Node = ast.Node`:                                0,
		`type Option func(*normalize.Steps)`:                  1,
		`type Option interface{ set(*settings) }`:             0,
		`type optionFunc func(*settings)`:                     0,
		`type Change struct { Action normalize.Action }`:      0,
		`type Change normalize.Change`:                        1,
		`func f() { type Change = normalize.Change }`:         0,
		`const Pruned = normalize.Pruned; var Internals int`:  0,
		`type Change = normalize.Change; var Internal = door`: 2,
	} {
		file, err := parser.ParseFile(token.NewFileSet(), "p.go", imports+code,
			parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if got := faults(file, true); len(got) != want {
			t.Errorf("%s: %q, want %d", code, got, want)
		}
		aliases := faults(file, false)
		isAlias := func(text string) bool { return strings.HasPrefix(text, "type") }
		if slices.ContainsFunc(aliases, isAlias) {
			t.Errorf("%s: an internal package may have an alias, got %q", code, aliases)
		}
	}
}

// faults returns what a file shows to users and should not. Aliases are for
// public packages only.
func faults(file *ast.File, isPublic bool) (out []string) {
	hidden := internalImports(file)
	for _, decl := range file.Decls {
		general, ok := decl.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range general.Specs {
			switch spec := spec.(type) {
			case *ast.ValueSpec:
				for _, name := range spec.Names {
					if name.Name == "Internal" {
						out = append(out, "variable Internal is a door: share an internal package")
					}
				}
			case *ast.TypeSpec:
				_, isFunc := spec.Type.(*ast.FuncType)
				if isPublic && isFunc && strings.HasSuffix(spec.Name.Name, "Option") &&
					spec.Name.IsExported() {
					const text = "type %s is a function: an option is an interface"
					out = append(out, fmt.Sprintf(text, spec.Name))
				}
				isNamed := spec.Assign.IsValid() || isSelector(spec.Type)
				if isPublic && spec.Name.IsExported() && isNamed && uses(spec.Type, hidden) {
					const text = "type %s is an internal type: go doc shows nothing of it"
					out = append(out, fmt.Sprintf(text, spec.Name))
				}
			}
		}
	}
	return out
}

// internalImports returns the names under which a file knows internal packages.
func internalImports(file *ast.File) (names []string) {
	for _, spec := range file.Imports {
		path := strings.Trim(spec.Path.Value, `"`)
		if !strings.Contains(path+"/", "/internal/") {
			continue
		}
		name := path[strings.LastIndexByte(path, '/')+1:]
		if spec.Name != nil {
			name = spec.Name.Name
		}
		names = append(names, name)
	}
	return names
}

func isSelector(expr ast.Expr) bool {
	_, ok := expr.(*ast.SelectorExpr)
	return ok
}

// uses reports whether a type is made of one of the packages.
func uses(expr ast.Expr, packages []string) (found bool) {
	ast.Inspect(expr, func(n ast.Node) bool {
		if selector, ok := n.(*ast.SelectorExpr); ok {
			pkg, ok := selector.X.(*ast.Ident)
			found = found || ok && slices.Contains(packages, pkg.Name)
		}
		return !found
	})
	return found
}
