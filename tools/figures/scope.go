package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"strings"
	"unicode/utf8"
)

// scope collects the figures of some files.
type scope struct {
	name                             string
	fileLines, functionLines         []int
	complexity                       []int
	testLines, allLines              int
	over100, over120, commentLines   int
	manyParameters, boolParameters   int
	exported, public, documented     int
	longest, mostComplex             string
	longestLines, mostComplexNumbers int
}

func (s *scope) add(f *file) {
	for _, line := range f.lines {
		width := utf8.RuneCountInString(line) + 3*strings.Count(line, "\t")
		s.allLines++
		s.over100 += oneIf(width > 100)
		s.over120 += oneIf(width > 120)
	}
	if f.isTest {
		s.testLines += len(f.lines)
		return
	}
	s.fileLines = append(s.fileLines, len(f.lines))
	s.commentLines += f.commentLines()
	for _, d := range f.syntax.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			s.addFunction(f, d)
		case *ast.GenDecl:
			s.addNames(f, d)
		}
	}
}

func (s *scope) addFunction(f *file, d *ast.FuncDecl) {
	lines := f.line(d.End()) - f.line(d.Pos()) + 1
	number := complexity(d)
	s.functionLines = append(s.functionLines, lines)
	s.complexity = append(s.complexity, number)
	name := fmt.Sprintf("%s:%s", f.path, d.Name.Name)
	if lines > s.longestLines {
		s.longestLines, s.longest = lines, name
	}
	if number > s.mostComplexNumbers {
		s.mostComplexNumbers, s.mostComplex = number, name
	}
	s.manyParameters += oneIf(d.Type.Params.NumFields() >= 5)
	if f.syntax.Name.Name == "main" || !d.Name.IsExported() || !exportedReceiver(d) {
		return
	}
	s.addName(f, d.Doc != nil)
	s.boolParameters += oneIf(hasBool(d.Type.Params))
}

func (s *scope) addName(f *file, documented bool) {
	s.exported++
	s.public += oneIf(!strings.Contains("/"+f.path, "/internal/"))
	s.documented += oneIf(documented)
}

func (s *scope) addNames(f *file, d *ast.GenDecl) {
	if f.syntax.Name.Name == "main" {
		return
	}
	for _, spec := range d.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			if spec.Name.IsExported() {
				s.addName(f, d.Doc != nil || spec.Doc != nil)
			}
		case *ast.ValueSpec:
			for _, name := range spec.Names {
				if name.IsExported() {
					s.addName(f, d.Doc != nil || spec.Doc != nil || spec.Comment != nil)
				}
			}
		}
	}
}

func exportedReceiver(d *ast.FuncDecl) bool {
	if d.Recv == nil {
		return true
	}
	exported := false
	ast.Inspect(d.Recv.List[0].Type, func(n ast.Node) bool {
		name, ok := n.(*ast.Ident)
		exported = exported || ok && name.IsExported()
		return !ok
	})
	return exported
}

func hasBool(params *ast.FieldList) bool {
	for _, p := range params.List {
		if name, ok := p.Type.(*ast.Ident); ok && name.Name == "bool" {
			return true
		}
	}
	return false
}

// complexity returns the cyclomatic number of a function.
func complexity(d *ast.FuncDecl) int {
	n := 1
	ast.Inspect(d, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt:
			n++
		case *ast.CaseClause:
			n += oneIf(node.List != nil)
		case *ast.CommClause:
			n += oneIf(node.Comm != nil)
		case *ast.BinaryExpr:
			n += oneIf(node.Op == token.LAND || node.Op == token.LOR)
		}
		return true
	})
	return n
}

func oneIf(b bool) int {
	if b {
		return 1
	}
	return 0
}
