package lint

import (
	"slices"
	"strings"

	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"

	"github.com/crdsem/crdsem/internal/kit/celsyntax"
)

// place is a field of self or of oldSelf, e.g. {".spec.size", true}. The path
// of self is empty.
type place struct {
	path  string
	isOld bool
}

// pinned are values of places that are no values of CEL: missing is a field
// that is not there, and token one of any value, which equals itself only.
type (
	missing struct{}
	token   string
)

// pin returns what is known about a place that is pinned.
func (e *evaluation) pin(v value) (value, bool) {
	pinned, ok := e.pins[place{v.path, v.isOld}]
	if !ok || pinned == any(missing{}) {
		return v, false
	}
	var known value
	switch text, isToken := pinned.(token); {
	case isToken:
		known = value{can: other, is: []string{"\x00" + string(text)}}
	case pinned == nil:
		return v, false
	default:
		known = literal(pinned)
	}
	known.can |= v.can & fails
	known.node, known.path, known.isOld = nil, v.path, v.isOld
	return known, true
}

// isMissing reports whether a field is pinned to be missing.
func (e *evaluation) isMissing(path string, isOld bool) bool {
	return e.pins[place{path, isOld}] == any(missing{})
}

// isPinned reports whether a field or one below it is pinned.
func (e *evaluation) isPinned(path string, isOld bool) bool {
	for at := range e.pins {
		rest, isPrefix := strings.CutPrefix(at.path, path)
		if at.isOld == isOld && isPrefix && (rest == "" || rest[0] == '.') {
			return true
		}
	}
	return false
}

// read notes that an expression reads an optional field. One that reads it of
// the new object counts before one that reads it of the old one.
func (e *evaluation) read(path string, x ast.Expr) {
	known, has := e.reads[path]
	if e.reads != nil && (!has || mentions(known, "oldSelf") && !mentions(x, "oldSelf")) {
		e.reads[path] = x
	}
}

// mentions reports whether an expression has an identifier.
func mentions(x ast.Expr, name string) bool {
	found := false
	ast.PostOrderVisit(x, ast.NewExprVisitor(func(e ast.Expr) {
		found = found || e.Kind() == ast.IdentKind && e.AsIdent() == name
	}))
	return found
}

// compared are operators whose operands are compared with literals.
var compared = []string{
	operators.Equals, operators.NotEquals, operators.Less, operators.LessEquals,
	operators.Greater, operators.GreaterEquals, operators.In,
}

// reading is what rules read of a node: its fields that are scalars, compared
// or asked for, and the literals that they are compared with.
type reading struct {
	fields   map[string]*node // by path
	old      map[string]bool  // the paths that are read of oldSelf
	new      map[string]bool  // and of self
	literals []any
}

// readings returns what a rule reads.
func (r *rule) readings() *reading {
	all := &reading{fields: map[string]*node{}, old: map[string]bool{}, new: map[string]bool{}}
	note := func(e ast.Expr, isWhole bool) {
		at, n := r.selected(e)
		if n == nil || !isWhole && !isScalar(n) {
			return
		}
		all.fields[at.path] = n
		if at.isOld {
			all.old[at.path] = true
		} else {
			all.new[at.path] = true
		}
	}
	ast.PostOrderVisit(r.root, ast.NewExprVisitor(func(e ast.Expr) {
		switch e.Kind() {
		case ast.LiteralKind:
			all.literals = append(all.literals, e.AsLiteral().Value())
		case ast.IdentKind, ast.SelectKind:
			note(e, false)
		case ast.CallKind:
			name := e.AsCall().FunctionName()
			if name != "has" && !slices.Contains(compared, name) {
				return
			}
			for _, arg := range e.AsCall().Args() {
				note(arg, true)
			}
		}
	}))
	return all
}

func isScalar(n *node) bool {
	return slices.Contains([]any{"string", "boolean", "integer", "number"}, n.doc["type"])
}

// selected returns the field of self or oldSelf that an expression selects; nil
// for any other expression.
func (r *rule) selected(e ast.Expr) (place, *node) {
	switch e.Kind() {
	case ast.IdentKind:
		if name := e.AsIdent(); name == "self" || name == "oldSelf" && !r.hasOptionalOld {
			return place{isOld: name == "oldSelf"}, r.node
		}
	case ast.SelectKind:
		of, n := r.selected(e.AsSelect().Operand())
		if n != nil {
			name := celsyntax.Field(e.AsSelect().FieldName())
			return place{of.path + "." + name, of.isOld}, n.property(name)
		}
	}
	return place{}, nil
}

// isOptional reports whether the field at a path below a node may be missing.
func (n *node) isOptional(path string) bool {
	for _, name := range strings.Split(path, ".")[1:] {
		if n == nil || !n.has(name) {
			return true
		}
		n = n.property(name)
	}
	return false
}

// candidates returns values of a field to try: those of its enum, or those that
// the rule compares with and one more.
func (r *rule) candidates(path string, of *reading) []any {
	n := of.fields[path]
	var list []any
	if r.node.isOptional(path) {
		list = append(list, missing{})
	}
	enum, _ := n.doc["enum"].([]any)
	switch {
	case len(enum) > 0:
		return append(list, enum...)
	case n.doc["type"] == "boolean":
		return append(list, false, true)
	case !isScalar(n):
		return append(list, token("1"))
	}
	refuses := refusal(r.w, n.doc)
	add := func(v any) {
		if !slices.Contains(list, v) && refuses(v) == "" {
			list = append(list, v)
		}
	}
	for _, v := range of.literals {
		number, isInteger := v.(int64)
		_, isText := v.(string)
		switch {
		case isText && n.doc["type"] == "string":
			add(v)
		case isInteger && n.doc["type"] != "string":
			for _, near := range []int64{number - 1, number, number + 1} {
				add(near)
			}
		}
	}
	if n.doc["type"] == "string" {
		list = append(list, token("other"))
	}
	return list
}
