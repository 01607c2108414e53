package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// unless is a condition that drops the statement after it in a mutant.
const unless = "if !active.On(%d) { "

func (f *finder) statement(n ast.Stmt, stack []ast.Node) {
	switch n := n.(type) {
	case *ast.IfStmt:
		f.condition(n.Cond)
		if last, ok := n.Else.(*ast.BlockStmt); ok {
			f.block("else does nothing", last.List, n, stack)
		}
	case *ast.ForStmt:
		if n.Cond != nil {
			f.insert(n.Cond, "loop never entered", "(!active.On(%d) && (", "))")
			f.once(n.Cond, n.Body)
		}
	case *ast.RangeStmt:
		f.leave(n.X, "loop never entered", n.Body.Lbrace+1)
		f.once(n.X, n.Body)
	case *ast.SwitchStmt:
		if n.Tag == nil {
			f.cases(n.Body)
		}
	case *ast.CaseClause:
		within := stack[:len(stack)-1] // without the block of the switch
		f.block("case does nothing", n.Body, within[len(within)-1], within[:len(within)-1])
	case *ast.ExprStmt, *ast.IncDecStmt, *ast.SendStmt, *ast.AssignStmt, *ast.DeferStmt:
		f.simple(n, stack[len(stack)-1])
	case *ast.BranchStmt:
		f.branch(n, stack)
	case *ast.ReturnStmt:
		f.returned(n, signature(stack))
		f.dropReturn(n, stack)
	}
}

// simple drops a statement of a list: not the first part of a loop or a switch.
func (f *finder) simple(s ast.Stmt, parent ast.Node) {
	if call, ok := s.(*ast.ExprStmt); ok && isGrow(call.X) {
		return
	}
	assign, ok := s.(*ast.AssignStmt)
	if ok && len(assign.Rhs) == 1 && len(assign.Lhs) == 1 {
		f.assigned(assign.Rhs[0])
	}
	switch parent.(type) {
	case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause:
	default:
		return
	}
	if !endsFunction(s) && (!ok || assign.Tok != token.DEFINE && !blank(assign)) {
		f.insert(s, "statement dropped", unless, " }")
	}
}

// assigned negates a Boolean value. Comparisons have mutants of their own.
func (f *finder) assigned(value ast.Expr) {
	basic, ok := f.info.Types[value].Type.(*types.Basic)
	_, isCall := value.(*ast.CallExpr)
	if ok && isCall && basic.Info()&types.IsBoolean != 0 {
		f.insert(value, "value negated", "((", ") != active.On(%d))")
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

// cases changes the conditions of a switch without a value.
func (f *finder) cases(body *ast.BlockStmt) {
	for _, clause := range body.List {
		if clause, ok := clause.(*ast.CaseClause); ok {
			for _, condition := range clause.List {
				f.condition(condition)
			}
		}
	}
}

// once leaves a loop after the first round.
func (f *finder) once(of ast.Node, body *ast.BlockStmt) {
	f.leave(of, "loop runs once", body.Rbrace)
}

// leave inserts a break into a loop.
func (f *finder) leave(of ast.Node, change string, at token.Pos) {
	m := f.mutant(of, change)
	from := f.offset(at)
	m.edits = []edit{{from: from, to: from, text: numbered("; if active.On(%d) { break }; ")}}
}

// block drops what a case or an else does. The statement around it is the last
// argument but one.
func (f *finder) block(change string, body []ast.Stmt, of ast.Node, stack []ast.Node) {
	if len(body) == 0 {
		return
	}
	last := body[len(body)-1]
	if branch, ok := last.(*ast.BranchStmt); ok && branch.Tok != token.BREAK &&
		branch.Tok != token.CONTINUE {
		return
	}
	if endsFunction(last) && !goesOn(of, stack) {
		return
	}
	m := f.mutant(body[0], change)
	m.edits = around(f.offset(body[0].Pos()), f.offset(last.End()), unless, " }")
}

// endsFunction reports whether a statement may be what ends a function.
func endsFunction(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.ExprStmt:
		call, ok := s.X.(*ast.CallExpr)
		return ok && isName(call.Fun, "panic")
	case *ast.AssignStmt, *ast.IncDecStmt, *ast.SendStmt, *ast.DeferStmt, *ast.RangeStmt,
		*ast.DeclStmt, *ast.GoStmt, *ast.BranchStmt:
		return false
	}
	return true
}

func isName(e ast.Expr, name string) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == name
}

// goesOn reports whether the function goes on after the statement, so that
// nothing in it has to return. The stack has the nodes around the statement.
func goesOn(s ast.Node, stack []ast.Node) bool {
	for i, parent := range slices.Backward(stack) {
		switch parent := parent.(type) {
		case *ast.BlockStmt:
			if parent.List[len(parent.List)-1] != s && !isClause(s) {
				return true
			}
		case *ast.CaseClause:
			if parent.Body[len(parent.Body)-1] != s {
				return true
			}
		case *ast.CommClause:
			if parent.Body[len(parent.Body)-1] != s {
				return true
			}
		case *ast.ForStmt, *ast.RangeStmt:
			return true
		case *ast.FuncDecl, *ast.FuncLit:
			return len(flatten(signature(stack[:i+1]))) == 0
		}
		s = parent
	}
	return false
}

func isClause(n ast.Node) bool {
	switch n.(type) {
	case *ast.CaseClause, *ast.CommClause:
		return true
	}
	return false
}

// branch drops a break or continue, and takes one for the other.
func (f *finder) branch(s *ast.BranchStmt, stack []ast.Node) {
	other := map[token.Token]string{token.BREAK: "continue", token.CONTINUE: "break"}[s.Tok]
	if other == "" {
		return
	}
	f.insert(s, "statement dropped", unless, " }")
	if s.Label == nil && inLoop(stack) {
		f.insert(s, s.Tok.String()+" becomes "+other, "if active.On(%d) { "+other+" }; ", "")
	}
}

// inLoop reports whether a break may end a loop. It may not if a function ends
// with an endless one.
func inLoop(stack []ast.Node) bool {
	for i, n := range slices.Backward(stack) {
		switch n := n.(type) {
		case *ast.ForStmt:
			return n.Cond != nil || goesOn(n, stack[:i])
		case *ast.RangeStmt:
			return true
		case *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt, *ast.FuncLit:
			return false
		}
	}
	return false
}

// dropReturn goes on where a function returns early. A branch that does nothing
// but return has this mutant already: its condition is always false.
func (f *finder) dropReturn(s *ast.ReturnStmt, stack []ast.Node) {
	block, ok := stack[len(stack)-1].(*ast.BlockStmt)
	if !ok || len(stack) < 2 {
		return
	}
	around := stack[len(stack)-2]
	_, inIf := around.(*ast.IfStmt)
	_, inRange := around.(*ast.RangeStmt)
	if (inRange || inIf && len(block.List) > 1) && goesOn(s, stack) {
		f.insert(s, "return dropped", unless, " }")
	}
}

// signature returns the results of the innermost function.
func signature(stack []ast.Node) *ast.FieldList {
	for _, n := range slices.Backward(stack) {
		switch n := n.(type) {
		case *ast.FuncLit:
			return n.Type.Results
		case *ast.FuncDecl:
			return n.Type.Results
		}
	}
	return nil
}

// returned changes one result of a return statement.
func (f *finder) returned(s *ast.ReturnStmt, results *ast.FieldList) {
	declared := flatten(results)
	if len(s.Results) == 1 && len(declared) > 1 {
		f.passedOn(s, declared)
		return
	}
	if len(declared) != len(s.Results) {
		return
	}
	for i, result := range s.Results {
		value := f.source(result)
		other := f.otherValue(declared[i], value)
		of := f.source(declared[i])
		if other == "" || other == "0" && f.isZero(result) || strings.Contains(of, "\n") {
			continue
		}
		m := f.mutant(s, fmt.Sprintf("result %d becomes %s", i+1, oneLine(other)))
		before, after := "active.Zero["+of+"](%d, ", ")"
		if other == "true" || other == "false" || strings.HasPrefix(other, "!") {
			before, after = "((", ") != active.On(%d))"
		}
		m.edits = around(f.offset(result.Pos()), f.offset(result.End()), before, after)
	}
}

// passedOn changes one result of a call whose two or three results a function
// returns.
func (f *finder) passedOn(s *ast.ReturnStmt, declared []ast.Expr) {
	function := map[int]string{2: "Two", 3: "Three"}[len(declared)]
	if function == "" {
		return
	}
	for i := range declared {
		m := f.mutant(s, fmt.Sprintf("result %d becomes zero", i+1))
		m.edits = around(f.offset(s.Results[0].Pos()), f.offset(s.Results[0].End()),
			"active."+function+"(", fmt.Sprintf(").Zero(%%d, %d)", i+1))
	}
}
