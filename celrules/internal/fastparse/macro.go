package fastparse

import (
	"github.com/google/cel-go/common"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/parser"
)

// call returns a call, or the expansion of the macro that it calls.
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

// expand returns the expansion of the macro that a call calls, nil if it calls
// none. If the macro fails, the text is left to cel-go's parser.
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

// helper builds the expressions of a macro. Their offset is that of the macro's
// call.
type helper struct {
	*run
	call int64
}

var _ parser.ExprHelper = (*helper)(nil)

// fresh returns a new id at the start of the call.
func (h *helper) fresh() int64 {
	at, _ := h.info.GetOffsetRange(h.call)
	return h.id(token{start: int(at.Start), end: int(at.Start)})
}

// Copy returns a copy with new ids at the offsets of the original.
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
	h.failed = true // there are no other kinds
	return h.factory.NewUnspecifiedExpr(id)
}

// copyAll copies expressions in their order.
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

// copyCall copies the receiver after the arguments, like cel-go: the order
// decides the ids.
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
	over, start := h.Copy(c.IterRange()), h.Copy(c.AccuInit())
	condition, step, result := h.Copy(c.LoopCondition()), h.Copy(c.LoopStep()), h.Copy(c.Result())
	return h.factory.NewComprehensionTwoVar(
		id, over, c.IterVar(), c.IterVar2(), c.AccuVar(), start, condition, step, result)
}

// NewLiteral returns a literal.
func (h *helper) NewLiteral(v ref.Val) ast.Expr { return h.factory.NewLiteral(h.fresh(), v) }

// NewList returns a list.
func (h *helper) NewList(elements ...ast.Expr) ast.Expr {
	return h.factory.NewList(h.fresh(), elements, []int32{})
}

// NewMap returns a map.
func (h *helper) NewMap(entries ...ast.EntryExpr) ast.Expr {
	return h.factory.NewMap(h.fresh(), entries)
}

// NewMapEntry returns an entry of a map.
func (h *helper) NewMapEntry(key, value ast.Expr, optional bool) ast.EntryExpr {
	return h.factory.NewMapEntry(h.fresh(), key, value, optional)
}

// NewStruct returns a struct.
func (h *helper) NewStruct(typeName string, fields ...ast.EntryExpr) ast.Expr {
	return h.factory.NewStruct(h.fresh(), typeName, fields)
}

// NewStructField returns a field of a struct.
func (h *helper) NewStructField(field string, value ast.Expr, optional bool) ast.EntryExpr {
	return h.factory.NewStructField(h.fresh(), field, value, optional)
}

// NewComprehension returns a comprehension of one variable.
func (h *helper) NewComprehension(
	over ast.Expr, variable, accumulator string, start, condition, step, result ast.Expr,
) ast.Expr {
	return h.factory.NewComprehension(
		h.fresh(), over, variable, accumulator, start, condition, step, result)
}

// NewComprehensionTwoVar returns a comprehension of two variables.
func (h *helper) NewComprehensionTwoVar(
	over ast.Expr, first, second, accumulator string, start, condition, step, result ast.Expr,
) ast.Expr {
	return h.factory.NewComprehensionTwoVar(
		h.fresh(), over, first, second, accumulator, start, condition, step, result)
}

// NewIdent returns an identifier.
func (h *helper) NewIdent(name string) ast.Expr { return h.factory.NewIdent(h.fresh(), name) }

// NewAccuIdent returns the accumulator of a comprehension.
func (h *helper) NewAccuIdent() ast.Expr { return h.factory.NewAccuIdent(h.fresh()) }

// AccuIdentName returns the name of a comprehension's accumulator.
func (h *helper) AccuIdentName() string { return h.factory.AccuIdentName() }

// NewCall returns a global call.
func (h *helper) NewCall(function string, args ...ast.Expr) ast.Expr {
	return h.factory.NewCall(h.fresh(), function, args...)
}

// NewMemberCall returns a call with a receiver.
func (h *helper) NewMemberCall(function string, receiver ast.Expr, args ...ast.Expr) ast.Expr {
	return h.factory.NewMemberCall(h.fresh(), function, receiver, args...)
}

// NewPresenceTest returns the expansion of has().
func (h *helper) NewPresenceTest(operand ast.Expr, field string) ast.Expr {
	return h.factory.NewPresenceTest(h.fresh(), operand, field)
}

// NewSelect returns a selection.
func (h *helper) NewSelect(operand ast.Expr, field string) ast.Expr {
	return h.factory.NewSelect(h.fresh(), operand, field)
}

// OffsetLocation returns the location of an expression.
func (h *helper) OffsetLocation(id int64) common.Location { return h.info.GetStartLocation(id) }

// NewError returns an error at an expression.
func (h *helper) NewError(id int64, message string) *common.Error {
	return common.NewError(id, message, h.OffsetLocation(id))
}
