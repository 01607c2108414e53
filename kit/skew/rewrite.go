package skew

import (
	"slices"

	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/types"

	"github.com/crdsem/crdsem/internal/kit/celsyntax"
)

// Rewritten returns a rule that judges every value as a given one does, and
// whose estimate does not depend on the sizes of computed values. It is empty
// if nothing is written otherwise.
func Rewritten(rule string) string {
	parsed := celsyntax.Parse(rule)
	if parsed == nil {
		return ""
	}
	w := &rewriter{ExprFactory: ast.NewExprFactory(), rule: parsed}
	root := parsed.Expr()
	w.isPlain = !mayAbsorb(root)
	ast.PostOrderVisit(root, ast.NewExprVisitor(w.visit))
	if !w.changed {
		return ""
	}
	for _, guard := range w.guards {
		root = w.NewCall(0, operators.LogicalAnd, guard, root)
	}
	return celsyntax.Text(parsed, root)
}

// absorbing are the functions whose result may be a value though an argument is
// an error, or is not evaluated.
var absorbing = []string{
	operators.LogicalAnd, operators.LogicalOr, operators.Conditional, operators.Has,
	operators.All, operators.Exists, operators.ExistsOne, operators.Map, operators.Filter,
	"existsOne", "sortBy", "transformList", "transformMap", "transformMapEntry", "optMap",
	"optFlatMap", "or", "orValue", "bind",
}

// mayAbsorb reports whether an error of a part of an expression need not be one
// of the whole.
func mayAbsorb(root ast.Expr) (found bool) {
	ast.PostOrderVisit(root, ast.NewExprVisitor(func(e ast.Expr) {
		found = found || e.Kind() == ast.CallKind &&
			slices.Contains(absorbing, e.AsCall().FunctionName())
	}))
	return found
}

// rewriter replaces parts of an expression.
type rewriter struct {
	ast.ExprFactory
	rule    *ast.AST
	changed bool
	// isPlain is set if an error of a part is one of the whole rule. What ends
	// with an error may be false then, which refuses an object, too. guards are
	// the conditions for that.
	isPlain bool
	guards  []ast.Expr
}

func (w *rewriter) visit(e ast.Expr) {
	var other ast.Expr
	switch e.Kind() {
	case ast.CallKind:
		call := e.AsCall()
		switch name := call.FunctionName(); name {
		case operators.Equals, operators.NotEquals:
			other = w.presence(call)
		case operators.In, operators.OldIn, "exists":
			other = w.query(call)
		case operators.Index:
			other = w.part(call)
			if other == nil {
				other = w.inside(call.Args()[0], func(of ast.Expr) ast.Expr {
					return w.NewCall(0, name, of, w.CopyExpr(call.Args()[1]))
				})
			}
		}
	case ast.SelectKind:
		s := e.AsSelect()
		if other = w.entry(s); other != nil {
			break
		}
		other = w.inside(s.Operand(), func(of ast.Expr) ast.Expr {
			return w.NewSelect(0, of, s.FieldName())
		})
	}
	if other != nil {
		w.changed = true
		e.SetKindCase(other)
	}
}

// presence returns a comparison of two presence tests as a condition:
// has(self.a) != has(self.b) is has(self.a) ? !has(self.b) : has(self.b).
func (w *rewriter) presence(call ast.CallExpr) ast.Expr {
	a, b := call.Args()[0], call.Args()[1]
	if !isCallOf(a, "has", 1) || !isCallOf(b, "has", 1) {
		return nil
	}
	same, other := w.CopyExpr(b), w.NewCall(0, operators.LogicalNot, w.CopyExpr(b))
	if call.FunctionName() == operators.NotEquals {
		same, other = other, same
	}
	return w.NewCall(0, operators.Conditional, w.CopyExpr(a), same, other)
}

// entry returns the value of the only entry of a map: {'a': self.b}.a.
func (w *rewriter) entry(s ast.SelectExpr) ast.Expr {
	if s.Operand().Kind() != ast.MapKind {
		return nil
	}
	entries := s.Operand().AsMap().Entries()
	if len(entries) != 1 || entries[0].AsMapEntry().IsOptional() {
		return nil
	}
	key := entries[0].AsMapEntry().Key()
	if key.Kind() != ast.LiteralKind || key.AsLiteral() != types.String(s.FieldName()) {
		return nil
	}
	return w.CopyExpr(entries[0].AsMapEntry().Value())
}

// found returns the first match of a pattern, and guards it: findAll(p)[0] ends
// with an error without a match.
func (w *rewriter) found(all, index ast.Expr) ast.Expr {
	if !w.isPlain || !isInt(index, 0) {
		return nil
	}
	of, pattern := all.AsCall().Target(), all.AsCall().Args()[0]
	w.guards = append(w.guards, w.NewCall(0, operators.Greater,
		w.NewMemberCall(0, "size", w.CopyExpr(all)), w.NewLiteral(0, types.Int(0))))
	return w.NewMemberCall(0, "find", w.CopyExpr(of), w.CopyExpr(pattern))
}

// part returns the first, the second or the last part of a string that is split
// at a character, as a substring: s.split('/')[0] is
// (s + '/').substring(0, (s + '/').indexOf('/')).
func (w *rewriter) part(call ast.CallExpr) ast.Expr {
	list, index := call.Args()[0], call.Args()[1]
	if isCallOf(list, "findAll", 1) && list.AsCall().IsMemberFunction() {
		return w.found(list, index)
	}
	isCut := isCallOf(list, "split", 2) && isInt(list.AsCall().Args()[1], 2) // in two at most
	if !isCut && !isCallOf(list, "split", 1) || !list.AsCall().IsMemberFunction() {
		return nil
	}
	of, separator := list.AsCall().Target(), list.AsCall().Args()[0]
	if separator.Kind() != ast.LiteralKind {
		return nil
	}
	if text, ok := separator.AsLiteral().(types.String); !ok || len([]rune(string(text))) != 1 {
		return nil // two separators may overlap
	}
	closed := func() ast.Expr { // it has a separator
		return w.NewCall(0, operators.Add, w.CopyExpr(of), w.CopyExpr(separator))
	}
	next := func(e ast.Expr) ast.Expr {
		return w.NewCall(0, operators.Add, e, w.NewLiteral(0, types.Int(1)))
	}
	first := func() ast.Expr {
		return w.NewMemberCall(0, "indexOf", closed(), w.CopyExpr(separator))
	}
	switch {
	case isInt(index, 0):
		return w.NewMemberCall(0, "substring", closed(), w.NewLiteral(0, types.Int(0)), first())
	case isInt(index, 1) && isCut: // without a separator the start is -1: an error
		at := w.NewMemberCall(0, "indexOf", w.CopyExpr(of), w.CopyExpr(separator))
		rest := w.NewMemberCall(0, "substring", w.CopyExpr(of), at)
		return w.NewMemberCall(0, "substring", rest, w.NewLiteral(0, types.Int(1)))
	case isInt(index, 1): // without a second separator the end is -1: an error
		second := w.NewMemberCall(0, "indexOf", closed(), w.CopyExpr(separator), next(first()))
		return w.NewMemberCall(0, "substring", closed(), next(first()), second)
	case !isCut && w.isLast(index, list):
		at := w.NewMemberCall(0, "lastIndexOf", w.CopyExpr(of), w.CopyExpr(separator))
		return w.NewMemberCall(0, "substring", w.CopyExpr(of), next(at))
	}
	return nil
}

// isInt reports whether an expression is an integer.
func isInt(e ast.Expr, n int64) bool {
	return e.Kind() == ast.LiteralKind && e.AsLiteral() == types.Int(n)
}

// isLast reports whether an index is the size of a list less one.
func (w *rewriter) isLast(index, list ast.Expr) bool {
	if !isCallOf(index, operators.Subtract, 2) {
		return false
	}
	size, one := index.AsCall().Args()[0], index.AsCall().Args()[1]
	if !isInt(one, 1) || size.Kind() != ast.CallKind || size.AsCall().FunctionName() != "size" {
		return false
	}
	args := size.AsCall().Args()
	if size.AsCall().IsMemberFunction() {
		args = []ast.Expr{size.AsCall().Target()}
	}
	return len(args) == 1 &&
		celsyntax.Text(w.rule, args[0]) == celsyntax.Text(w.rule, list)
}

// inside returns a field or an item of a computed value as one of what it is
// computed from: of both branches of a condition, or of what dyn() is called
// with.
func (w *rewriter) inside(of ast.Expr, read func(ast.Expr) ast.Expr) ast.Expr {
	switch {
	case isCallOf(of, operators.Conditional, 3):
		args := of.AsCall().Args()
		return w.NewCall(0, operators.Conditional, w.CopyExpr(args[0]),
			read(w.CopyExpr(args[1])), read(w.CopyExpr(args[2])))
	case isCallOf(of, "dyn", 1):
		return read(w.CopyExpr(of.AsCall().Args()[0]))
	}
	return nil
}

func isCallOf(e ast.Expr, function string, args int) bool {
	return e.Kind() == ast.CallKind && e.AsCall().FunctionName() == function &&
		len(e.AsCall().Args()) == args
}
