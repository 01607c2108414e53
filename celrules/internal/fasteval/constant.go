package fasteval

import (
	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/overloads"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"

	"github.com/crdsem/crdsem/celrules/internal/meter"
)

// newConstant returns the evaluator of a constant.
func newConstant(v ref.Val) evaluator {
	k := ofRef(v)
	e := evaluator{step: func(*Machine) val { return k }}
	if k.kind == kindBool {
		t := truthOf(k.n != 0)
		e.test = func(*Machine) truth { return t }
	}
	return e
}

// constant returns the value of a sub-expression that planning in cel-go
// reduces to a constant, e.g. `duration('1h')` or `['a', 'b']` (CEL-009).
func (c *compiler) constant(e ast.Expr) (ref.Val, bool) {
	switch e.Kind() {
	case ast.LiteralKind:
		return e.AsLiteral(), true
	case ast.IdentKind, ast.SelectKind:
		return c.typeName(e)
	case ast.CallKind:
		if c.isInEmptyList(e) {
			return types.False, true
		}
		return c.convertedConstant(e)
	case ast.ListKind:
		items, ok := c.constants(e)
		if !ok {
			return nil, false
		}
		return types.NewRefValList(c.env.Adapter(), items), true
	}
	return nil, false
}

// typeName returns the type that an identifier stands for, e.g. `string` of
// `type(self.a) == string`.
func (c *compiler) typeName(e ast.Expr) (ref.Val, bool) {
	reference, ok := c.checked.ReferenceMap()[e.ID()]
	if !ok {
		return nil, false
	}
	if reference.Value != nil {
		return reference.Value, true
	}
	if c.checked.GetType(e.ID()).Kind() != types.TypeKind {
		return nil, false
	}
	return c.env.Provider().FindIdent(reference.Name)
}

// constants returns the items of a list literal if all are constant.
func (c *compiler) constants(e ast.Expr) ([]ref.Val, bool) {
	l := e.AsList()
	if len(l.OptionalIndices()) > 0 {
		return nil, false
	}
	items := make([]ref.Val, 0, l.Size())
	for _, item := range l.Elements() {
		v, ok := c.constant(item)
		if !ok {
			return nil, false
		}
		items = append(items, v)
	}
	return items, true
}

// isInEmptyList reports whether a call looks for an item in a constant list
// without items.
func (c *compiler) isInEmptyList(e ast.Expr) bool {
	if e.AsCall().FunctionName() != operators.In || c.overload(e) != overloads.InList {
		return false
	}
	v, ok := c.constant(e.AsCall().Args()[1])
	list, isList := v.(traits.Lister)
	return ok && isList && list.Size() == types.IntZero
}

// convertedConstant returns the result of converting a constant.
func (c *compiler) convertedConstant(e ast.Expr) (ref.Val, bool) {
	name := e.AsCall().FunctionName()
	if !overloads.IsTypeConversionFunction(name) {
		return nil, false
	}
	arg, ok := c.constant(arguments(e)[0])
	if !ok {
		return nil, false
	}
	convert := c.env.Call(name, c.overload(e), 1)
	v := convert(new(meter.Meter), []ref.Val{arg})
	if types.IsUnknownOrError(v) {
		c.left = true // planning fails
		return nil, false
	}
	return v, true
}
