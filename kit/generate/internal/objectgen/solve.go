package objectgen

import (
	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/kit/celsyntax"
)

// Solve changes a value so that a rule holds or, if holds is false, fails. It
// inverts the rule: of `self.size() > 5` it makes a longer string. What it
// cannot invert it leaves alone. The other rules of the node are kept, as far
// as they are about values that change. It returns the new value; ok is false
// if it found nothing to change.
func (m *Maker) Solve(rule string, holds bool, n Node, v any) (changed any, ok bool) {
	parsed := celsyntax.Parse(rule)
	if parsed == nil {
		return v, false
	}
	before := jsonvalue.DeepCopy(v)
	s := &solver{m: m, cells: map[string]*cell{}}
	self := s.cellAt(cell{path: "self", node: n,
		get:    func() (any, bool) { return v, true },
		set:    func(x any) { v = x },
		remove: func() bool { return false }})
	in := scope{"self": {cell: self}}
	if !s.satisfy(term{parsed.Expr(), in}, holds) {
		return v, !jsonvalue.Equal(v, before)
	}
	if holds {
		s.keeping = true
		for _, other := range n.schema.Rules() {
			if kept := celsyntax.Parse(other.Rule); kept != nil && other.Rule != rule {
				s.satisfy(term{kept.Expr(), in}, true)
			}
		}
	}
	s.settle()
	return v, !jsonvalue.Equal(v, before)
}

// solver changes the cells of one value.
type solver struct {
	m     *Maker
	cells map[string]*cell
	// wished are the cells with a wish, in the order of their first one.
	wished []*cell
	// keeping is set while other rules are read: they add to the wishes, and
	// change nothing themselves.
	keeping bool
	steps   int
}

// maxSolverSteps bounds the terms that are visited for one rule.
const maxSolverSteps = 1 << 14

func (s *solver) isSpent() bool {
	s.steps++
	return s.steps > maxSolverSteps
}

// term is an expression of a rule, and what its variables stand for.
type term struct {
	ast.Expr
	in scope
}

// scope is what variables stand for.
type scope map[string]binding

// binding is a cell, another term, or a constant.
type binding struct {
	cell  *cell
	term  *term
	value any
}

// with returns a scope with a variable more.
func (in scope) with(name string, b binding) scope {
	inner := scope{name: b}
	for other, known := range in {
		if other != name {
			inner[other] = known
		}
	}
	return inner
}

// function returns the name of a called function, or an empty string.
func (t term) function() string {
	if t.Kind() != ast.CallKind {
		return ""
	}
	return t.AsCall().FunctionName()
}

// args returns the arguments of a call. The target of a method comes first.
func (t term) args() (args []term) {
	if t.Kind() != ast.CallKind {
		return nil
	}
	if t.AsCall().IsMemberFunction() {
		args = append(args, term{t.AsCall().Target(), t.in})
	}
	for _, arg := range t.AsCall().Args() {
		args = append(args, term{arg, t.in})
	}
	return args
}

// resolved follows variables that stand for terms.
func (t term) resolved() term {
	for t.Kind() == ast.IdentKind {
		b := t.in[t.AsIdent()]
		if b.term == nil {
			break
		}
		t = *b.term
	}
	return t
}

// cell returns the cell that a term selects, or nil.
func (s *solver) cell(t term) *cell {
	t = t.resolved()
	switch t.Kind() {
	case ast.IdentKind:
		return t.in[t.AsIdent()].cell
	case ast.SelectKind:
		return s.memberCell(term{t.AsSelect().Operand(), t.in}, t.AsSelect().FieldName())
	}
	args := t.args()
	switch t.function() {
	case operators.OptSelect:
		name, _ := args[1].AsLiteral().Value().(string)
		return s.memberCell(args[0], name)
	case operators.Index, operators.OptIndex:
		of, _ := s.eval(args[1])
		switch at := of.(type) {
		case string:
			return s.memberCell(args[0], at)
		case int64:
			if list := s.cell(args[0]); list != nil && at >= 0 && at < maxItemsMade {
				return s.item(list, int(at))
			}
		}
	case "value", "orValue", "dyn":
		return s.cell(args[0])
	}
	return nil
}

func (s *solver) memberCell(of term, name string) *cell {
	object := s.cell(of)
	if object == nil || object.isKey {
		return nil
	}
	return s.member(object, celsyntax.Field(name))
}
