package upgrade

import (
	"slices"

	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"
)

// Errors of evaluation do not ratchet (CEL-110): a new rule that can end with
// one refuses stored objects that are written unchanged. Few plainly cannot.

// isTotal reports whether it is plain that the rule of a node of a type never
// ends with an error and, if it reads the old value, is true of an equal one.
// What has no type may be of several, for which operators have no meaning.
func (x *expression) isTotal(of string) bool {
	switch {
	case x == nil:
		return false
	case slices.Contains([]string{"self == oldSelf", "oldSelf == self"}, x.text(x.root)):
		return true
	}
	return of != "" && present{}.isTotal(x.root)
}

// present has the fields of self that are known to be there.
type present []string

// isTotal reports whether an expression is a bool and not an error.
func (p present) isTotal(e ast.Expr) bool {
	if e.Kind() != ast.CallKind {
		return e.Kind() == ast.LiteralKind
	}
	call := e.AsCall()
	args := append(targetOf(call), call.Args()...)
	switch call.FunctionName() {
	case operators.LogicalAnd, operators.LogicalOr:
		return p.areTotal(operands(e, call.FunctionName()), call.FunctionName())
	case operators.LogicalNot:
		return p.isTotal(args[0])
	case operators.Equals, operators.NotEquals: // of values of any types
		return p.isValue(args[0]) && p.isValue(args[1])
	case operators.In:
		return p.isValue(args[0]) && (isSelf(args[1]) || args[1].Kind() == ast.ListKind &&
			p.isValue(args[1]))
	case operators.Less, operators.LessEquals, operators.Greater, operators.GreaterEquals,
		"startsWith", "endsWith", "contains":
		return isTyped(args[0]) && isTyped(args[1])
	case "has":
		return isSelf(args[0].AsSelect().Operand())
	case "all", "exists", "exists_one":
		return len(args) == 3 && isSelf(args[0]) && !isSelf(args[1]) && p.isTotal(args[2])
	}
	return false
}

// areTotal reports whether all of what && or || joins are total. Of the parts
// before it, one may know what is there: `has(self.a) && self.a == 1`, or
// `!has(self.a) || self.a == 1`.
func (p present) areTotal(parts []ast.Expr, operator string) bool {
	for _, part := range parts {
		if !p.isTotal(part) {
			return false
		}
		if operator == operators.LogicalOr {
			if !isCallOf(part, operators.LogicalNot) {
				continue
			}
			part = part.AsCall().Args()[0]
		}
		if isCallOf(part, "has") {
			field := part.AsCall().Args()[0].AsSelect().FieldName()
			p = append(p[:len(p):len(p)], field)
		}
	}
	return true
}

// isValue reports whether an expression has a value, of any type.
func (p present) isValue(e ast.Expr) bool {
	switch e.Kind() {
	case ast.IdentKind:
		return e.AsIdent() != "oldSelf"
	case ast.SelectKind:
		return isSelf(e.AsSelect().Operand()) && slices.Contains(p, e.AsSelect().FieldName())
	case ast.ListKind:
		return !slices.ContainsFunc(e.AsList().Elements(),
			func(e ast.Expr) bool { return !p.isValue(e) })
	}
	return isTyped(e)
}

// isTyped reports whether an expression has a value of the one type that it was
// checked with.
func isTyped(e ast.Expr) bool {
	if isCallOf(e, "size") {
		call := e.AsCall()
		return isSelf(append(targetOf(call), call.Args()...)[0])
	}
	return e.Kind() == ast.LiteralKind || isSelf(e)
}

func isSelf(e ast.Expr) bool { return e.Kind() == ast.IdentKind && e.AsIdent() == "self" }

func isCallOf(e ast.Expr, function string) bool {
	return e.Kind() == ast.CallKind && e.AsCall().FunctionName() == function
}
