package fasteval

import (
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"

	"github.com/crdsem/crdsem/celrules/internal/environment"
)

// step evaluates a sub-expression.
type step func(m *machine) val

// truth is the result of a test.
type truth uint8

const (
	unknown truth = iota // the evaluation stopped
	no
	yes
)

func truthOf(b bool) truth {
	if b {
		return yes
	}
	return no
}

// test evaluates a sub-expression of type bool.
type test func(m *machine) truth

// mode tells how a sub-expression is charged.
type mode uint8

const (
	executed mode = iota
	resolved
)

// Compile compiles a checked expression of type bool or string. It returns nil for one that only cel-go can evaluate. An expression for
// which it returns a program can also be planned by cel-go.
func Compile(e *environment.Env, checked *ast.AST) *Program {
	c := &compiler{env: e, checked: checked}
	root := checked.Expr()
	p := &Program{}
	if checked.GetType(root.ID()) == types.BoolType {
		p.test = c.test(root, executed)
	} else {
		p.root = c.step(root, executed)
	}
	if c.unsupported {
		return nil
	}
	p.slots = c.slots
	return p
}

type compiler struct {
	env         *environment.Env
	checked     *ast.AST
	locals      []local
	slots       int
	unsupported bool
}

// local is a loop's variable in scope.
type local struct {
	name string
	slot int
}

// give up on the whole expression
func (c *compiler) unsupportedStep() step { c.unsupported = true; return nil }
func (c *compiler) unsupportedTest() test { c.unsupported = true; return nil }

// step compiles any sub-expression.
func (c *compiler) step(e ast.Expr, as mode) step {
	if v, ok := c.constant(e); ok {
		k := ofRef(v)
		return func(*machine) val { return k }
	}
	if c.isTest(e) {
		t := c.test(e, as)
		return func(m *machine) val {
			switch t(m) {
			case yes:
				return val{kind: boolean, n: 1}
			case no:
				return val{kind: boolean}
			}
			return stop
		}
	}
	switch e.Kind() {
	case ast.IdentKind, ast.SelectKind:
		return c.attribute(e, as)
	case ast.CallKind:
		return c.callStep(e, as)
	case ast.ListKind:
		return c.listLiteral(e)
	case ast.ComprehensionKind:
		return c.loopStep(e)
	}
	return c.unsupportedStep()
}

// isTest tells whether there is a test for a sub-expression that does not go over a step.
func (c *compiler) isTest(e ast.Expr) bool {
	switch e.Kind() {
	case ast.SelectKind:
		return e.AsSelect().IsTestOnly()
	case ast.CallKind:
		switch e.AsCall().FunctionName() {
		case operators.LogicalAnd, operators.LogicalOr, operators.LogicalNot, operators.Equals, operators.NotEquals,
			operators.Less, operators.LessEquals, operators.Greater, operators.GreaterEquals, operators.In:
			return true
		case "startsWith", "endsWith", "contains", "matches":
			return true
		}
	case ast.ComprehensionKind:
		_, ok := quantifierOf(e.AsComprehension())
		return ok
	}
	return false
}

// test compiles a sub-expression whose result has to be a bool; any other stops.
func (c *compiler) test(e ast.Expr, as mode) test {
	if v, ok := c.constant(e); ok {
		b, isBool := v.(types.Bool)
		if !isBool {
			return c.unsupportedTest()
		}
		k := truthOf(bool(b))
		return func(*machine) truth { return k }
	}
	switch {
	case e.Kind() == ast.SelectKind && e.AsSelect().IsTestOnly():
		return c.presence(e)
	case e.Kind() == ast.ComprehensionKind && c.isTest(e):
		return c.quantifier(e)
	case e.Kind() == ast.CallKind && e.AsCall().FunctionName() == operators.Conditional:
		return c.conditionalTest(e)
	case e.Kind() == ast.CallKind && c.isTest(e):
		return c.callTest(e)
	}
	s := c.step(e, as)
	return func(m *machine) truth {
		if v := s(m); v.kind == boolean {
			return truthOf(v.n != 0)
		}
		return unknown
	}
}

// constant returns the value of a sub-expression that planning reduces to a constant, which costs nothing (CEL-009).
func (c *compiler) constant(e ast.Expr) (ref.Val, bool) {
	switch e.Kind() {
	case ast.LiteralKind:
		return e.AsLiteral(), true
	case ast.IdentKind, ast.SelectKind:
		return c.typeName(e)
	case ast.CallKind:
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

// typeName returns the type that an identifier stands for.
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
	v, found := c.env.Provider().FindIdent(reference.Name)
	if !found {
		c.unsupported = true // planning fails
	}
	return v, found
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

// convertedConstant returns the result of converting a constant.
func (c *compiler) convertedConstant(e ast.Expr) (ref.Val, bool) {
	call := e.AsCall()
	if call.IsMemberFunction() || len(call.Args()) != 1 || !converts(call.FunctionName()) {
		return nil, false
	}
	arg, ok := c.constant(call.Args()[0])
	if !ok {
		return nil, false
	}
	f := c.function(e)
	if f.run == nil || f.run.Unary == nil || f.run.OperandTrait != 0 && !arg.Type().HasTrait(f.run.OperandTrait) {
		c.unsupported = true
		return nil, false
	}
	v := f.run.Unary(arg)
	if types.IsUnknownOrError(v) {
		c.unsupported = true // planning fails
		return nil, false
	}
	return v, true
}

// converts tells the functions that planning runs on constants.
func converts(function string) bool {
	switch function {
	case "bool", "bytes", "double", "duration", "dyn", "int", "string", "timestamp", "type", "uint":
		return true
	}
	return false
}
