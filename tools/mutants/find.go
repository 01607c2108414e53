package main

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
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
	verdict  verdict
}

// An edit replaces the text between two offsets of a file. Edits with an empty
// old text are insertions, before or after the span of the changed code.
type edit struct {
	from, to int
	text     func(id int) string
	span     int  // how much code the mutant changes, to nest insertions
	closing  bool // an insertion after the changed code
	inner    bool // belongs inside of others around the same code
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
	found    []*mutant
}

// find returns every possible mutant of the package, in order of the source.
func find(p *pkg) []*mutant {
	f := &finder{pkg: p}
	for i := range p.files {
		f.file = &p.files[i]
		for _, decl := range f.file.syntax.Decls {
			f.declaration(decl)
		}
	}
	number(f.found)
	return f.found
}

// declaration finds mutants in a function, and in functions that are values of
// variables.
func (f *finder) declaration(decl ast.Decl) {
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		if decl.Body != nil {
			f.function = name(decl)
			ast.PreorderStack(decl.Body, []ast.Node{decl}, f.visit)
		}
	case *ast.GenDecl:
		ast.PreorderStack(decl, nil, func(n ast.Node, stack []ast.Node) bool {
			switch n := n.(type) {
			case *ast.ValueSpec:
				f.function = n.Names[0].Name
			case *ast.FuncLit:
				ast.PreorderStack(n.Body, append(slices.Clone(stack), n), f.visit)
				return false
			}
			return decl.Tok == token.VAR
		})
	}
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

// visit finds the mutants of a node. The stack has the nodes around it,
// beginning with its function.
func (f *finder) visit(n ast.Node, stack []ast.Node) bool {
	switch n := n.(type) {
	case *ast.GenDecl:
		return n.Tok != token.CONST
	case *ast.ArrayType:
		return false // a length is constant
	case *ast.KeyValueExpr:
		ast.PreorderStack(n.Value, append(slices.Clone(stack), n), f.visit)
		return false // a key may have to be constant
	case ast.Expr:
		if f.isReserved(n, stack[len(stack)-1]) {
			return false
		}
		f.expression(n, stack)
	case ast.Stmt:
		f.statement(n, stack)
	}
	return true
}

// isReserved reports whether an expression is the room that make or a method
// Grow reserves. No result depends on it.
func (f *finder) isReserved(n ast.Expr, parent ast.Node) bool {
	call, ok := parent.(*ast.CallExpr)
	if !ok || n == call.Fun {
		return false
	}
	if isName(call.Fun, "make") {
		_, isMap := f.info.Types[call].Type.Underlying().(*types.Map)
		return n == call.Args[len(call.Args)-1] && (isMap || len(call.Args) == 3)
	}
	return isGrow(call)
}

func isGrow(n ast.Expr) bool {
	call, ok := n.(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return false
	}
	method, ok := call.Fun.(*ast.SelectorExpr)
	return ok && method.Sel.Name == "Grow"
}

func (f *finder) expression(n ast.Expr, stack []ast.Node) {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		f.binary(n)
	case *ast.UnaryExpr:
		if _, isCondition := stack[len(stack)-1].(*ast.IfStmt); n.Op == token.NOT && !isCondition {
			f.insert(n, "! dropped", "((", ") != active.On(%d))")
		}
	case *ast.BasicLit:
		f.literal(n)
	case *ast.Ident:
		f.boolean(n, stack)
	case *ast.IndexExpr:
		f.offByOne(n.Index, "index")
	case *ast.SliceExpr:
		f.offByOne(n.Low, "bound")
		f.offByOne(n.High, "bound")
	case *ast.CallExpr:
		f.call(n)
	}
}

func (f *finder) condition(cond ast.Expr) {
	f.insert(cond, "condition negated", "((", ") != active.On(%d))")
	f.insert(cond, "condition always true", "(active.On(%d) || (", "))")
	f.insert(cond, "condition always false", "(!active.On(%d) && (", "))")
}

// boolean changes a constant that is not the result of a return.
func (f *finder) boolean(n *ast.Ident, stack []ast.Node) {
	_, returned := stack[len(stack)-1].(*ast.ReturnStmt)
	if !returned && n.Name == "true" && f.info.Types[n].Value != nil {
		f.insert(n, "true becomes false", "(", " != active.On(%d))")
	}
	if !returned && n.Name == "false" && f.info.Types[n].Value != nil {
		f.insert(n, "false becomes true", "(", " != active.On(%d))")
	}
}

// offByOne changes an integer that is not constant.
func (f *finder) offByOne(n ast.Expr, what string) {
	at := f.info.Types[n]
	if n == nil || !at.IsValue() || at.Value != nil {
		return
	}
	if basic, ok := at.Type.Underlying().(*types.Basic); ok && basic.Info()&types.IsInteger != 0 {
		f.insert(n, what+" plus one", "active.Plus(%d, ", ", 1)")
		f.insert(n, what+" minus one", "active.Plus(%d, ", ", -1)")
	}
}

// call changes a length, and swaps two arguments of the same type.
func (f *finder) call(n *ast.CallExpr) {
	fun := f.info.Types[n.Fun]
	if id, ok := n.Fun.(*ast.Ident); ok && fun.IsBuiltin() && id.Name == "len" {
		f.offByOne(n, "length")
	}
	if len(n.Args) != 2 || n.Ellipsis.IsValid() || fun.IsBuiltin() || fun.IsType() {
		return
	}
	name := f.source(n.Fun)
	a, b := f.info.Types[n.Args[0]].Type, f.info.Types[n.Args[1]].Type
	if strings.Contains(name, "Equal") || f.source(n.Args[0]) == f.source(n.Args[1]) ||
		!types.Identical(a, b) || a == types.Typ[types.UntypedNil] {
		return
	}
	m := f.mutant(n, "arguments swapped")
	m.edits = around(f.offset(n.Args[0].Pos()), f.offset(n.Args[1].End()),
		"active.Pair(%d, ", ")")
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
		f.operands(n, "(active.On(%d) || (")
		f.operator(n, "&& becomes ||", "active.And(%d, ", ", func() bool { return (", ") })")
	case token.LOR:
		f.operands(n, "(!active.On(%d) && (")
		f.operator(n, "|| becomes &&", "active.Or(%d, ", ", func() bool { return (", ") })")
	case token.EQL:
		f.insert(n, "== becomes !=", "((", ") != active.On(%d))")
	case token.NEQ:
		f.insert(n, "!= becomes ==", "((", ") != active.On(%d))")
	case token.ADD, token.SUB, token.MUL, token.QUO, token.REM, token.AND, token.OR,
		token.XOR, token.SHL, token.SHR:
		if t, ok := f.integer(n); ok {
			f.insert(n, "result off by one", "active.Plus["+t+"](%d, ", ", 1)")
		}
	}
}

// operands drops each operand of && or ||, by a value that decides nothing.
func (f *finder) operands(n *ast.BinaryExpr, before string) {
	for _, operand := range []ast.Expr{n.X, n.Y} {
		if inner, ok := operand.(*ast.BinaryExpr); !ok || inner.Op != n.Op {
			f.insert(operand, "operand of "+n.Op.String()+" dropped", before, "))")
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
	case *types.Struct, *types.Array:
		if !strings.HasSuffix(value, "{}") {
			return "zero"
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
	m.edits[0].inner, m.edits[1].inner = true, true
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
