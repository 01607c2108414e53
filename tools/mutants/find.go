package main

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"
)

// A mutant is one change of the source.
type mutant struct {
	id       int
	file     *source
	line     int
	lastLine int
	function string // e.g. (*Cache).Drop
	change   string // e.g. "< becomes <=", "statement dropped"
	code     string // the changed expression or statement on one line
	edits    []edit
}

// An edit replaces the text between two offsets of a file. Edits with an empty
// old text are insertions, before or after the span of the changed code.
type edit struct {
	from, to int
	text     func(id int) string
	span     int  // how much code the mutant changes, to nest insertions
	closing  bool // an insertion after the changed code
}

// String identifies a mutant in reports and in the list of equivalent ones.
// It has no line, and remains as long as the code does.
func (m *mutant) String() string {
	return fmt.Sprintf("%s | %s | %s | %s", m.file.name, m.function, m.change, m.code)
}

// A finder collects the possible mutants of a package.
type finder struct {
	*pkg
	file     *source
	function string
	results  []*ast.FieldList // of the functions around, innermost last
	found    []*mutant
}

// find returns every possible mutant of the package, in order of the source.
func find(p *pkg) []*mutant {
	f := &finder{pkg: p}
	for i := range p.files {
		f.file = &p.files[i]
		for _, decl := range f.file.syntax.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok && fn.Body != nil {
				f.function = name(fn)
				f.results = []*ast.FieldList{fn.Type.Results}
				f.walk(fn.Body)
			}
		}
	}
	number(f.found)
	return f.found
}

// number gives mutants that look the same names that differ: "i++ #2".
func number(mutants []*mutant) {
	seen := map[string]int{}
	for _, m := range mutants {
		name := m.String()
		if seen[name]++; seen[name] > 1 {
			m.code += fmt.Sprintf(" #%d", seen[name])
		}
	}
}

func name(fn *ast.FuncDecl) string {
	if fn.Recv == nil || len(fn.Recv.List) == 0 {
		return fn.Name.Name
	}
	receiver := types.ExprString(fn.Recv.List[0].Type)
	if strings.HasPrefix(receiver, "*") {
		receiver = "(" + receiver + ")"
	}
	return receiver + "." + fn.Name.Name
}

func (f *finder) walk(root ast.Node) {
	ast.Inspect(root, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			f.results = append(f.results, n.Type.Results)
			f.walk(n.Body)
			f.results = f.results[:len(f.results)-1]
			return false
		case *ast.GenDecl:
			return n.Tok != token.CONST
		case *ast.ArrayType, *ast.CompositeLit:
			// Lengths and keys must be constant; elements are rarely logic.
			return false
		case *ast.IfStmt:
			f.condition(n.Cond)
		case *ast.ForStmt:
			if n.Cond != nil {
				f.insert(n.Cond, "loop never entered", "(!active.On(%d) && (", "))")
			}
		case *ast.BinaryExpr:
			f.binary(n)
		case *ast.BasicLit:
			f.literal(n)
		case *ast.BlockStmt:
			f.statements(n.List)
		case *ast.CaseClause:
			f.statements(n.Body)
			f.clause(n.Body)
		}
		return true
	})
}

func (f *finder) condition(cond ast.Expr) {
	f.insert(cond, "condition negated", "((", ") != active.On(%d))")
	f.insert(cond, "condition always true", "(active.On(%d) || (", "))")
	f.insert(cond, "condition always false", "(!active.On(%d) && (", "))")
}

// comparisons are the functions of package active for an operator, and what
// their mutants do.
var comparisons = map[token.Token]struct{ function, change string }{
	token.LSS: {"Less", "< becomes <="}, token.LEQ: {"AtMost", "<= becomes <"},
	token.GTR: {"Greater", "> becomes >="}, token.GEQ: {"AtLeast", ">= becomes >"},
}

func (f *finder) binary(n *ast.BinaryExpr) {
	if f.info.Types[n].Value != nil {
		return // a constant
	}
	switch n.Op {
	case token.LSS, token.LEQ, token.GTR, token.GEQ:
		c := comparisons[n.Op]
		f.operator(n, c.change, "active."+c.function+"(%d, ", ", ", ")")
	case token.LAND:
		f.operator(n, "&& becomes ||", "active.And(%d, ", ", func() bool { return (", ") })")
	case token.LOR:
		f.operator(n, "|| becomes &&", "active.Or(%d, ", ", func() bool { return (", ") })")
	case token.EQL:
		f.insert(n, "== becomes !=", "((", ") != active.On(%d))")
	case token.NEQ:
		f.insert(n, "!= becomes ==", "((", ") != active.On(%d))")
	case token.ADD, token.SUB, token.MUL, token.QUO:
		if t, ok := f.integer(n); ok {
			f.insert(n, "result off by one", "active.Plus["+t+"](%d, ", ", 1)")
		}
	}
}

// integer returns the name of the expression's type if it is a basic integer.
func (f *finder) integer(e ast.Expr) (string, bool) {
	basic, ok := f.info.Types[e].Type.(*types.Basic)
	if !ok || basic.Info()&types.IsInteger == 0 || basic.Info()&types.IsUntyped != 0 {
		return "", false
	}
	return basic.Name(), true
}

func (f *finder) literal(n *ast.BasicLit) {
	t, ok := f.integer(n)
	if !ok || n.Kind != token.INT {
		return
	}
	f.insert(n, "constant plus one", "active.Plus["+t+"](%d, ", ", 1)")
	if v := f.info.Types[n].Value; v != nil && constant.Sign(v) > 0 {
		f.insert(n, "constant minus one", "active.Plus["+t+"](%d, ", ", -1)")
	}
}

func (f *finder) statements(list []ast.Stmt) {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.ExprStmt, *ast.IncDecStmt, *ast.SendStmt:
			f.drop(s)
		case *ast.AssignStmt:
			if s.Tok != token.DEFINE && !blank(s) {
				f.drop(s)
			}
		case *ast.BranchStmt:
			if s.Tok == token.BREAK || s.Tok == token.CONTINUE {
				f.drop(s)
			}
		case *ast.ReturnStmt:
			f.returned(s)
		}
	}
}

// blank reports whether the statement assigns to blank names only.
func blank(s *ast.AssignStmt) bool {
	for _, left := range s.Lhs {
		if id, ok := left.(*ast.Ident); !ok || id.Name != "_" {
			return false
		}
	}
	return true
}

func (f *finder) drop(s ast.Stmt) {
	if call, ok := s.(*ast.ExprStmt); ok {
		if c, ok := call.X.(*ast.CallExpr); ok {
			if id, ok := c.Fun.(*ast.Ident); ok && id.Name == "panic" {
				return // it can end a function
			}
		}
	}
	f.insert(s, "statement dropped", "if !active.On(%d) { ", " }")
}

// clause drops what a case does.
func (f *finder) clause(body []ast.Stmt) {
	if len(body) == 0 {
		return
	}
	last := body[len(body)-1]
	switch last := last.(type) {
	case *ast.ReturnStmt:
		return // the case may be what ends the function
	case *ast.BranchStmt:
		if last.Tok == token.FALLTHROUGH || last.Tok == token.GOTO {
			return
		}
	}
	m := f.mutant(body[0], "case does nothing")
	from, to := f.offset(body[0].Pos()), f.offset(last.End())
	m.edits = around(from, to, "if !active.On(%d) { ", " }")
}

// returned changes one result of a return statement.
func (f *finder) returned(s *ast.ReturnStmt) {
	declared := flatten(f.results[len(f.results)-1])
	if len(declared) != len(s.Results) {
		return
	}
	for i, result := range s.Results {
		zero := f.otherValue(declared[i], f.source(result))
		if zero == "" || zero == "0" && f.isZero(result) {
			continue
		}
		values := make([]string, len(s.Results))
		for k, r := range s.Results {
			values[k] = f.source(r)
		}
		values[i] = zero
		m := f.mutant(s, fmt.Sprintf("result %d becomes %s", i+1, oneLine(zero)))
		at := f.offset(s.Pos())
		other := strings.Join(values, ", ")
		text := func(id int) string {
			return fmt.Sprintf("if active.On(%d) { return %s }; ", id, other)
		}
		m.edits = []edit{{from: at, to: at, span: int(s.End() - s.Pos()), text: text}}
	}
}

// isZero reports whether the expression is a constant number 0, e.g. the first
// of iota.
func (f *finder) isZero(e ast.Expr) bool {
	v := f.info.Types[e].Value
	return v != nil && constant.Sign(v) == 0
}

// otherValue returns an expression that differs from the value, or nothing.
func (f *finder) otherValue(declared ast.Expr, value string) string {
	switch t := f.info.Types[declared].Type.Underlying().(type) {
	case *types.Basic:
		switch {
		case t.Info()&types.IsBoolean != 0 && value == "true":
			return "false"
		case t.Info()&types.IsBoolean != 0 && value == "false":
			return "true"
		case t.Info()&types.IsBoolean != 0:
			return "!(" + value + ")"
		case t.Info()&types.IsString != 0 && value != `""`:
			return `""`
		case t.Info()&types.IsInteger != 0 && value != "0":
			return "0"
		}
	case *types.Pointer, *types.Slice, *types.Map, *types.Interface, *types.Signature:
		if value != "nil" {
			return "nil"
		}
	}
	return ""
}

func flatten(fields *ast.FieldList) (list []ast.Expr) {
	if fields == nil {
		return nil
	}
	for _, field := range fields.List {
		for range max(len(field.Names), 1) {
			list = append(list, field.Type)
		}
	}
	return list
}

func (f *finder) mutant(n ast.Node, change string) *mutant {
	m := &mutant{file: f.file, line: f.fset.Position(n.Pos()).Line,
		lastLine: f.fset.Position(n.End()).Line, function: f.function, change: change,
		code: oneLine(f.source(n))}
	f.found = append(f.found, m)
	return m
}

// insert adds a mutant with text around the code.
func (f *finder) insert(n ast.Node, change, before, after string) {
	m := f.mutant(n, change)
	m.edits = around(f.offset(n.Pos()), f.offset(n.End()), before, after)
}

func around(from, to int, before, after string) []edit {
	return []edit{
		{from: from, to: from, span: to - from, text: numbered(before)},
		{from: to, to: to, span: to - from, text: numbered(after), closing: true},
	}
}

// operator adds a mutant with text around the operands and in place of the
// operator.
func (f *finder) operator(n *ast.BinaryExpr, change, before, between, after string) {
	f.insert(n, change, before, after)
	m := f.found[len(f.found)-1]
	from, to := f.offset(n.OpPos), f.offset(n.OpPos)+len(n.Op.String())
	m.edits = append(m.edits, edit{from: from, to: to, text: numbered(between)})
}

// numbered puts the mutant's number into the text, if the text has a place for
// it.
func numbered(format string) func(int) string {
	return func(id int) string {
		return strings.ReplaceAll(format, "%d", fmt.Sprint(id))
	}
}

func (f *finder) offset(pos token.Pos) int { return f.fset.Position(pos).Offset }

func (f *finder) source(n ast.Node) string {
	return string(f.file.text[f.offset(n.Pos()):f.offset(n.End())])
}

// oneLine joins the lines of code and cuts what is long.
func oneLine(code string) string {
	code = strings.Join(strings.Fields(code), " ")
	if len(code) > 100 {
		return code[:97] + "..."
	}
	return code
}
