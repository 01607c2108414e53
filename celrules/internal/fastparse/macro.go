package fastparse

import (
	"github.com/google/cel-go/common"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/parser"
)

// call makes a call, or what a macro makes of it.
func (r *run) call(id int64, function string, target *tree, arguments []tree) tree {
	args, height := unwrap(arguments)
	height++
	var receiver ast.Expr
	if target != nil {
		receiver = target.expr
		height = max(height, target.height) + 1
	}
	if r.failed {
		return tree{expr: r.factory.NewUnspecifiedExpr(id)}
	}
	if expanded := r.expand(id, function, receiver, args); expanded != nil {
		return tree{expanded, height}
	}
	if receiver == nil {
		return tree{r.factory.NewCall(id, function, args...), height}
	}
	return tree{r.factory.NewMemberCall(id, function, receiver, args...), height}
}

// expand returns what a macro makes of a call, nil if no macro wants it. A macro that finds fault leaves the text to cel-go's parser.
func (r *run) expand(id int64, function string, receiver ast.Expr, args []ast.Expr) ast.Expr {
	for _, m := range r.parser.macros[function] {
		if m.ArgCount() != len(args) || m.IsReceiverStyle() != (receiver != nil) {
			continue
		}
		expanded, err := m.Expander()(&helper{r, id}, receiver, args)
		if err != nil {
			r.failed = true
		}
		if err != nil || expanded == nil {
			return nil
		}
		r.info.ClearOffsetRange(id)
		if id == r.nextID-1 {
			r.nextID--
		}
		return expanded
	}
	return nil
}

// helper makes the expressions of a macro. All of them are where the macro's call is.
type helper struct {
	*run
	call int64
}

var _ parser.ExprHelper = (*helper)(nil)

// fresh makes an id at the start of the call.
func (h *helper) fresh() int64 {
	at, _ := h.info.GetOffsetRange(h.call)
	return h.id(token{start: int(at.Start), end: int(at.Start)})
}

// Copy returns an expression with ids of its own, at the places of the original.
func (h *helper) Copy(e ast.Expr) ast.Expr {
	id := h.reserve()
	if h.failed {
		return h.factory.NewUnspecifiedExpr(id)
	}
	at, _ := h.info.GetOffsetRange(e.ID())
	h.info.SetOffsetRange(id, at)
	switch e.Kind() {
	case ast.LiteralKind:
		return h.factory.NewLiteral(id, e.AsLiteral())
	case ast.IdentKind:
		return h.factory.NewIdent(id, e.AsIdent())
	case ast.SelectKind:
		return h.copySelect(id, e.AsSelect())
	case ast.CallKind:
		return h.copyCall(id, e.AsCall())
	case ast.ListKind:
		return h.factory.NewList(id, h.copyAll(e.AsList().Elements()), e.AsList().OptionalIndices())
	case ast.MapKind:
		return h.copyMap(id, e.AsMap())
	case ast.ComprehensionKind:
		return h.copyComprehension(id, e.AsComprehension())
	}
	h.failed = true // this package makes no other kinds
	return h.factory.NewUnspecifiedExpr(id)
}

func (h *helper) copyAll(of []ast.Expr) []ast.Expr {
	out := make([]ast.Expr, len(of))
	for i, e := range of {
		out[i] = h.Copy(e)
	}
	return out
}

func (h *helper) copySelect(id int64, s ast.SelectExpr) ast.Expr {
	operand := h.Copy(s.Operand())
	if s.IsTestOnly() {
		return h.factory.NewPresenceTest(id, operand, s.FieldName())
	}
	return h.factory.NewSelect(id, operand, s.FieldName())
}

// copyCall copies the receiver after the arguments, as cel-go does.
func (h *helper) copyCall(id int64, c ast.CallExpr) ast.Expr {
	args := h.copyAll(c.Args())
	if !c.IsMemberFunction() {
		return h.factory.NewCall(id, c.FunctionName(), args...)
	}
	return h.factory.NewMemberCall(id, c.FunctionName(), h.Copy(c.Target()), args...)
}

func (h *helper) copyMap(id int64, m ast.MapExpr) ast.Expr {
	entries := make([]ast.EntryExpr, m.Size())
	for i, e := range m.Entries() {
		entry, entryID := e.AsMapEntry(), h.fresh()
		key := h.Copy(entry.Key())
		entries[i] = h.factory.NewMapEntry(entryID, key, h.Copy(entry.Value()), entry.IsOptional())
	}
	return h.factory.NewMap(id, entries)
}

func (h *helper) copyComprehension(id int64, c ast.ComprehensionExpr) ast.Expr {
	parts := h.copyAll([]ast.Expr{c.IterRange(), c.AccuInit(), c.LoopCondition(), c.LoopStep(), c.Result()})
	return h.factory.NewComprehensionTwoVar(id, parts[0], c.IterVar(), c.IterVar2(), c.AccuVar(), parts[1], parts[2], parts[3], parts[4])
}

// NewLiteral makes a literal.
func (h *helper) NewLiteral(v ref.Val) ast.Expr { return h.factory.NewLiteral(h.fresh(), v) }

// NewList makes a list.
func (h *helper) NewList(elements ...ast.Expr) ast.Expr {
	return h.factory.NewList(h.fresh(), elements, []int32{})
}

// NewMap makes a map.
func (h *helper) NewMap(entries ...ast.EntryExpr) ast.Expr {
	return h.factory.NewMap(h.fresh(), entries)
}

// NewMapEntry makes an entry of a map.
func (h *helper) NewMapEntry(key, value ast.Expr, optional bool) ast.EntryExpr {
	return h.factory.NewMapEntry(h.fresh(), key, value, optional)
}

// NewStruct makes a struct.
func (h *helper) NewStruct(typeName string, fields ...ast.EntryExpr) ast.Expr {
	return h.factory.NewStruct(h.fresh(), typeName, fields)
}

// NewStructField makes a field of a struct.
func (h *helper) NewStructField(field string, value ast.Expr, optional bool) ast.EntryExpr {
	return h.factory.NewStructField(h.fresh(), field, value, optional)
}

// NewComprehension makes a comprehension of one variable.
func (h *helper) NewComprehension(
	over ast.Expr, variable, accumulator string, start, condition, step, result ast.Expr,
) ast.Expr {
	return h.factory.NewComprehension(h.fresh(), over, variable, accumulator, start, condition, step, result)
}

// NewComprehensionTwoVar makes a comprehension of two variables.
func (h *helper) NewComprehensionTwoVar(
	over ast.Expr, first, second, accumulator string, start, condition, step, result ast.Expr,
) ast.Expr {
	return h.factory.NewComprehensionTwoVar(h.fresh(), over, first, second, accumulator, start, condition, step, result)
}

// NewIdent makes a name.
func (h *helper) NewIdent(name string) ast.Expr { return h.factory.NewIdent(h.fresh(), name) }

// NewAccuIdent makes the name of a comprehension's accumulator.
func (h *helper) NewAccuIdent() ast.Expr { return h.factory.NewAccuIdent(h.fresh()) }

// AccuIdentName is the name of a comprehension's accumulator.
func (h *helper) AccuIdentName() string { return h.factory.AccuIdentName() }

// NewCall makes a global call.
func (h *helper) NewCall(function string, args ...ast.Expr) ast.Expr {
	return h.factory.NewCall(h.fresh(), function, args...)
}

// NewMemberCall makes a call on a receiver.
func (h *helper) NewMemberCall(function string, receiver ast.Expr, args ...ast.Expr) ast.Expr {
	return h.factory.NewMemberCall(h.fresh(), function, receiver, args...)
}

// NewPresenceTest makes what has() stands for.
func (h *helper) NewPresenceTest(operand ast.Expr, field string) ast.Expr {
	return h.factory.NewPresenceTest(h.fresh(), operand, field)
}

// NewSelect makes a selection.
func (h *helper) NewSelect(operand ast.Expr, field string) ast.Expr {
	return h.factory.NewSelect(h.fresh(), operand, field)
}

// OffsetLocation is where an expression is.
func (h *helper) OffsetLocation(id int64) common.Location { return h.info.GetStartLocation(id) }

// NewError tells what is wrong with an expression.
func (h *helper) NewError(id int64, message string) *common.Error {
	return common.NewError(id, message, h.OffsetLocation(id))
}
