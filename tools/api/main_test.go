package main

import (
	"errors"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The files are what the modules export: make api writes them.
func TestFilesAreNew(t *testing.T) {
	for name, folder := range modules {
		got, err := describe(filepath.Join("../..", folder))
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(name + ".txt")
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		lines := func(text string) []string { return strings.Split(text, "\n") }
		if diff := cmp.Diff(lines(string(want)), lines(got)); diff != "" {
			t.Errorf("module %s exports other names than its file says; make api writes it: %s",
				name, diff)
		}
	}
	files, err := filepath.Glob("*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if _, ok := modules[strings.TrimSuffix(filepath.Base(file), ".txt")]; !ok {
			t.Errorf("%s is of no module", file)
		}
	}
}

func TestSurface(t *testing.T) {
	const code = `package p
		import "io"
		const A, b = 1, 2
		const C Kind = "c"
		type Kind string
		func (k Kind) String() string { return "" }
		var V = map[string][]Kind{}
		type S struct { A int; b int; Inner; R io.Reader }
		type Inner struct{}
		func (i *Inner) Do(x, y int, rest ...Kind) (n int, err error) { return 0, nil }
		func (i *Inner) do() {}
		type I interface { M(a int) bool; m() }
		type O interface { M() }
		type F func(a int) error
		type Alias = S
		func G[T any](x T) T { return x }
		func f() {}`
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", code, 0)
	if err != nil {
		t.Fatal(err)
	}
	config := types.Config{Importer: importer.ForCompiler(fset, "source", nil)}
	pkg, err := config.Check("example.com/p", fset, []*ast.File{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		`const A untyped int = 1`,
		`const C p.Kind = "c"`,
		`func G[T any](x T) T`,
		`method (*Inner) Do(int, int, ...p.Kind) (int, error)`,
		`method (*S) Do(int, int, ...p.Kind) (int, error)`,
		`method (Kind) String() string`,
		`type Alias = p.S`,
		`type F func(a int) error`,
		`type I interface with unexported methods`,
		`type I interface, M(int) bool`,
		`type Inner struct`,
		`type Kind string`,
		`type O interface`,
		`type O interface, M()`,
		`type S struct`,
		`type S struct, A int`,
		`type S struct, Inner p.Inner`,
		`type S struct, R io.Reader`,
		`var V map[string][]p.Kind`,
	}
	for i, line := range want {
		want[i] = "pkg example.com/p, " + line
	}
	if diff := cmp.Diff(want, surface(pkg)); diff != "" {
		t.Error(diff)
	}
}
