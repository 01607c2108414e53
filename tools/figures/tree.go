package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/crdsem/crdsem/tools/chain"
)

// file is one parsed Go file. Its path is relative to the folder that was read.
type file struct {
	path   string
	lines  []string
	isTest bool
	set    *token.FileSet
	syntax *ast.File
}

// module is the path that imports of this repository's packages begin with.
const module = "github.com/crdsem/crdsem"

func readTree(folder string) ([]*file, error) {
	var files []*file
	err := filepath.WalkDir(folder, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && name != folder && leftOut(entry.Name()):
			return fs.SkipDir
		case entry.IsDir() || filepath.Ext(name) != ".go":
			return nil
		}
		f, err := readFile(folder, name)
		files = append(files, f)
		return err
	})
	return files, err
}

func leftOut(name string) bool { return name == "testdata" || name[0] == '.' }

func readFile(folder, name string) (*file, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	relative, err := filepath.Rel(folder, name)
	if err != nil {
		return nil, err
	}
	f := &file{
		path:   filepath.ToSlash(relative),
		lines:  strings.Split(strings.TrimSuffix(string(text), "\n"), "\n"),
		isTest: strings.HasSuffix(name, "_test.go"),
		set:    token.NewFileSet(),
	}
	const mode = parser.ParseComments | parser.SkipObjectResolution
	f.syntax, err = parser.ParseFile(f.set, name, text, mode)
	return f, err
}

func (f *file) line(pos token.Pos) int { return f.set.Position(pos).Line }

// commentLines counts the lines that hold nothing but a comment.
func (f *file) commentLines() (n int) {
	for _, line := range f.lines {
		n += oneIf(strings.HasPrefix(strings.TrimSpace(line), "//"))
	}
	return n
}

func within(name, folder string) bool { return strings.HasPrefix(name, folder+"/") }

// longestChain returns the longest chain of imports that begins at the package
// in a folder. Imports of test files do not count.
func longestChain(files []*file, from string) []string {
	imports := map[string][]string{}
	for _, f := range files {
		if f.isTest {
			continue
		}
		for _, spec := range f.syntax.Imports {
			name, _ := strconv.Unquote(spec.Path.Value)
			if name == module || within(name, module) {
				to := path.Clean(strings.TrimPrefix(strings.TrimPrefix(name, module), "/"))
				imports[path.Dir(f.path)] = append(imports[path.Dir(f.path)], to)
			}
		}
	}
	return chain.Longest(imports, from)
}
