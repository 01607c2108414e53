package fasteval

import (
	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/overloads"
	"cel.dev/cel-go/common/types"

	"github.com/crdsem/crdsem/celrules/internal/environment"
)

// Implementation notes:
//
// compiler.compile is the one switch from a node of the syntax tree to its
// evaluator. It delegates to compileCall, the switch on the name of a called
// function. Everything else is a constructor named newX, which returns the
// evaluator of one kind of node:
//
//	constant.go    literals and what planning reduces to them
//	attribute.go   newAttribute: self.a[0].b      newPresence: has(self.a)
//	operators.go   newAnd, newOr, newNot, newConditional, newEquality, newOrder
//	membership.go  newIn: 'a' in self.list
//	strings.go     newStringTest, newMatches, newConcatenation, newSize
//	call.go        newCall: any function          newList: [self.a, 1]
//	quantifier.go  newQuantifier: all, exists, exists_one
//	collect.go     newCollection: map, filter
//
// An evaluator is a Go closure. It has no state but the machine it is given, so
// one program serves many evaluations at the same time.
//
// There are two forms of closure because most sub-expressions of a rule are
// conditions. A truth fits a register; a val has seven words.
//
// Invariants:
//   - Where compiler.left is set, evaluators may have nil closures. Compile
//     then returns nil, so nothing calls them.
//   - A closure never charges for a sub-expression; each charges for itself.
//   - A closure that stops may have charged anything: the cost of an evaluation
//     that stops is not used.
//   - The order of evaluation, and what is not evaluated, is that of cel-go.

// step evaluates a sub-expression to a value.
type step func(m *Machine) val

// test evaluates a sub-expression of type bool.
type test func(m *Machine) truth

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

// evaluator is a compiled sub-expression. It has at least one of the forms
// unless the expression is left to cel-go.
type evaluator struct {
	step step
	test test
}

// asStep returns the evaluator as a step.
func (e evaluator) asStep() step {
	if e.step != nil {
		return e.step
	}
	t := e.test
	return func(m *Machine) val {
		switch t(m) {
		case yes:
			return val{kind: kindBool, n: 1}
		case no:
			return val{kind: kindBool}
		}
		return val{}
	}
}

// asTest returns the evaluator as a test. A value that is not a bool stops it.
func (e evaluator) asTest() test {
	if e.test != nil {
		return e.test
	}
	s := e.step
	return func(m *Machine) truth {
		if v := s(m); v.kind == kindBool {
			return truthOf(v.n != 0)
		}
		return unknown
	}
}

// mode selects how an attribute, e.g. `self.a`, is charged.
type mode uint8

const (
	// executed is for a sub-expression that cel-go executes.
	executed mode = iota
	// resolved is for a branch of a conditional and for an index, which cel-go
	// resolves as part of another attribute.
	resolved
)

// Compile compiles a checked expression of type bool or string. It returns nil
// for an expression that only cel-go can evaluate. An expression for which it
// returns a program can also be planned by cel-go.
func Compile(e *environment.Env, checked *ast.AST) *Program {
	c := &compiler{env: e, checked: checked}
	if c.hasUndefinedType() {
		return nil
	}
	root := checked.Expr()
	p := &Program{}
	if checked.GetType(root.ID()) == types.BoolType {
		p.test = c.test(root, executed)
	} else {
		p.root = c.step(root, executed)
	}
	if c.left {
		return nil
	}
	p.slots = c.slots
	return p
}

// hasUndefinedType reports whether a variable holds a type, as x of
// `[type(1)].all(x, x == int)`. Planning takes its name for that of a type, and
// fails.
func (c *compiler) hasUndefinedType() bool {
	for id, reference := range c.checked.ReferenceMap() {
		if reference.Value != nil || len(reference.OverloadIDs) > 0 ||
			c.checked.GetType(id).Kind() != types.TypeKind {
			continue
		}
		if _, found := c.env.Provider().FindIdent(reference.Name); !found {
			return true
		}
	}
	return false
}

// compiler compiles one expression.
type compiler struct {
	env     *environment.Env
	checked *ast.AST
	locals  []local // the variables in scope, the innermost last
	slots   int     // the most variables that are in scope at once
	left    bool    // the expression is left to cel-go
}

// local is the variable of a loop.
type local struct {
	name string
	slot int
}

// step compiles a sub-expression that is used as a value.
func (c *compiler) step(e ast.Expr, as mode) step { return c.compile(e, as).asStep() }

// test compiles a sub-expression that is used as a condition.
func (c *compiler) test(e ast.Expr, as mode) test { return c.compile(e, as).asTest() }

// compile returns the evaluator of a sub-expression.
func (c *compiler) compile(e ast.Expr, as mode) evaluator {
	if v, ok := c.constant(e); ok {
		return newConstant(v)
	}
	switch e.Kind() {
	case ast.IdentKind:
		return c.newAttribute(e, as)
	case ast.SelectKind:
		if e.AsSelect().IsTestOnly() {
			return c.newPresence(e)
		}
		return c.newAttribute(e, as)
	case ast.CallKind:
		return c.compileCall(e, as)
	case ast.ListKind:
		return c.newList(e)
	case ast.ComprehensionKind:
		return c.newComprehension(e)
	}
	c.left = true
	return evaluator{}
}

// newComprehension compiles a macro. Those with two variables are left to
// cel-go, and those that name a value, e.g. optMap: their loop has no rounds.
func (c *compiler) newComprehension(e ast.Expr) evaluator {
	f := e.AsComprehension()
	if f.HasIterVar2() || f.LoopCondition().AsLiteral() == types.False {
		c.left = true
		return evaluator{}
	}
	if q, ok := quantifierOf(f); ok {
		return c.newQuantifier(f, q)
	}
	return c.newCollection(f)
}

// compileCall returns the evaluator of a call. The type checker has seen to the
// number of arguments.
func (c *compiler) compileCall(e ast.Expr, as mode) evaluator {
	args := arguments(e)
	switch e.AsCall().FunctionName() {
	case operators.LogicalAnd:
		return c.newAnd(args)
	case operators.LogicalOr:
		return c.newOr(args)
	case operators.LogicalNot:
		return c.newNot(args[0])
	case operators.Conditional:
		return c.newConditional(e, args)
	case operators.Equals, operators.NotEquals:
		return c.newEquality(e, args)
	case operators.Less, operators.LessEquals, operators.Greater, operators.GreaterEquals:
		return c.newOrder(e, args)
	case operators.In:
		return c.newIn(e, args)
	case operators.Index:
		return c.newAttribute(e, as)
	case operators.Add:
		return c.newConcatenation(e, args)
	case "size":
		return c.newSize(e, args)
	case "matches":
		return c.newMatches(e, args)
	case "find", "findAll": // cel-go compiles constant regular expressions once
		c.left = true
		return evaluator{}
	case operators.OptIndex, operators.OptSelect, "or", "orValue":
		c.left = true
		return evaluator{}
	}
	switch c.overload(e) {
	case overloads.StartsWithString, overloads.EndsWithString, overloads.ContainsString:
		return c.newStringTest(e, args)
	}
	return c.newCall(e, args)
}
