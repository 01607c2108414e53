package upgrade

import (
	"slices"

	"cel.dev/cel-go/common/ast"

	"github.com/crdsem/crdsem/internal/kit/entail"
	"github.com/crdsem/crdsem/structural"
)

// opaque returns the condition that the expression of a text is true.
func (l *logic) opaque(e ast.Expr, s scope) entail.Condition {
	l.whole(e, s)
	v := l.variable("?"+l.text(e, s), 3)
	return entail.Is(v, func(value int) entail.Truth { return entail.Truth(value) })
}

// whole looks at all that an expression reads: the definitions have to read it
// in one way.
func (l *logic) whole(e ast.Expr, s scope) {
	if at, ok := s.selected(e); ok {
		_, isKnown := s.literal(at)
		if schema := l.schema(at, s); schema == nil || isKnown || !l.isAlikeBelow(at.path) {
			l.isUnclear = true
		}
		return
	}
	children := childrenOf(e)
	if e.Kind() == ast.CallKind && isMacro(e.AsCall()) {
		at, ok := s.selected(e.AsCall().Target())
		if schema := l.schemaIf(at, ok, s); schema != nil && schema.Items() != nil &&
			l.isAlikeBelow(below(at.path, anyChild)) {
			children = e.AsCall().Args() // the type of the list does not matter
		}
	}
	for _, child := range children {
		l.whole(child, s)
	}
}

// childrenOf returns the parts of an expression.
func childrenOf(e ast.Expr) (parts []ast.Expr) {
	switch e.Kind() {
	case ast.CallKind:
		return append(targetOf(e.AsCall()), e.AsCall().Args()...)
	case ast.SelectKind:
		return []ast.Expr{e.AsSelect().Operand()}
	case ast.ListKind:
		return e.AsList().Elements()
	case ast.MapKind:
		for _, entry := range e.AsMap().Entries() {
			parts = append(parts, entry.AsMapEntry().Key(), entry.AsMapEntry().Value())
		}
	case ast.StructKind:
		for _, field := range e.AsStruct().Fields() {
			parts = append(parts, field.AsStructField().Value())
		}
	}
	return parts
}

// isAlikeBelow reports whether both definitions read all below a path in one
// way.
func (l *logic) isAlikeBelow(path []string) bool {
	old, changed := l.old(path), l.changed(path)
	if old == nil {
		return true // no object has it
	}
	return changed != nil && hasSameLists(old, changed) &&
		!isFilled(old, changed) && !isFilled(changed, old) &&
		!hasOther(old.PropertyNames(), changed.PropertyNames())
}

// hasSameLists reports whether the lists of two schemas are of the same types.
func hasSameLists(a, b *structural.Schema) bool {
	if a == nil || b == nil {
		return true
	}
	return listType(a) == listType(b) && hasSameLists(a.Items(), b.Items()) &&
		hasSameLists(a.AdditionalSchema(), b.AdditionalSchema()) &&
		!slices.ContainsFunc(a.PropertyNames(), func(name string) bool {
			return !hasSameLists(a.Property(name), b.Property(name))
		})
}
