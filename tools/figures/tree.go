package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// file is one parsed Go file. Its path is relative to the folder that was read.
type file struct {
	path   string
	lines  []string
	isTest bool
	set    *token.FileSet
	syntax *ast.File
}

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
