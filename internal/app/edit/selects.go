package edit

import (
	"maps"
	"slices"

	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"

	"github.com/crdsem/crdsem/internal/kit/celsyntax"
	"github.com/crdsem/crdsem/structural"
)

// schemaNode is a node of a schema with the way to it: equal nodes can be one.
// The zero value is an unknown node.
type schemaNode struct {
	*structural.Schema
	path string // e.g. .list[].name, and {} for the values of a map
}

// field returns the node of a field or of the values of a map.
func (n schemaNode) field(name string) schemaNode {
	if property := n.Property(name); property != nil {
		return schemaNode{property, n.path + "." + name}
	}
	return n.value()
}

// value returns the node of the values of a map.
func (n schemaNode) value() schemaNode {
	if values := n.AdditionalSchema(); values != nil {
		return schemaNode{values, n.path + "{}"}
	}
	return schemaNode{}
}

// item returns the node of the items of a list.
func (n schemaNode) item() schemaNode {
	if items := n.Items(); items != nil {
		return schemaNode{items, n.path + "[]"}
	}
	return schemaNode{}
}

// at returns the node at the end of some steps.
func (n schemaNode) at(steps []wayStep) schemaNode {
	for _, step := range steps {
		if step.item {
			n = n.item()
		} else {
			n = n.field(step.key)
		}
	}
	return n
}

// selects reports whether a rule of a node selects the node at the end of some
// steps, e.g. the rule self.list.all(x, x.name != 'a') the name of the items.
func selects(rule string, node *structural.Schema, steps []wayStep) bool {
	parsed := celsyntax.Parse(rule)
	self := schemaNode{Schema: node}
	s := &selection{path: self.at(steps).path}
	if parsed == nil || s.path == "" {
		return false
	}
	s.of(parsed.Expr(), map[string]schemaNode{"self": self, "oldSelf": self})
	return s.found
}

// selection looks for a node in the selections of an expression.
type selection struct {
	path  string
	found bool
}

// of returns the node whose values an expression has. variables has the nodes
// of names.
func (s *selection) of(e ast.Expr, variables map[string]schemaNode) schemaNode {
	switch e.Kind() {
	case ast.IdentKind:
		return variables[e.AsIdent()]
	case ast.SelectKind:
		operand := s.of(e.AsSelect().Operand(), variables)
		return s.selected(operand.field(celsyntax.Field(e.AsSelect().FieldName())))
	case ast.CallKind:
		return s.call(e.AsCall(), variables)
	case ast.ListKind:
		for _, element := range e.AsList().Elements() {
			s.of(element, variables)
		}
	case ast.MapKind:
		for _, entry := range e.AsMap().Entries() {
			s.of(entry.AsMapEntry().Key(), variables)
			s.of(entry.AsMapEntry().Value(), variables)
		}
	}
	return schemaNode{}
}

// selected notices that a node is selected, and returns it.
func (s *selection) selected(node schemaNode) schemaNode {
	s.found = s.found || node.path == s.path
	return node
}

// call returns the node of the result of a call.
func (s *selection) call(c ast.CallExpr, variables map[string]schemaNode) schemaNode {
	if c.IsMemberFunction() {
		return s.method(c, variables)
	}
	var nodes []schemaNode
	for _, arg := range c.Args() {
		nodes = append(nodes, s.of(arg, variables))
	}
	switch c.FunctionName() {
	case operators.Index, operators.OptIndex, operators.OptSelect:
		return s.element(nodes[0], c.Args()[1])
	case operators.Conditional:
		if nodes[1].Schema != nil {
			return nodes[1]
		}
		return nodes[2]
	}
	return schemaNode{}
}

// element returns the node of an element that an index selects: an item, or the
// value of a key.
func (s *selection) element(node schemaNode, index ast.Expr) schemaNode {
	if node.Items() != nil {
		return s.selected(node.item())
	}
	if index.Kind() == ast.LiteralKind {
		if name, ok := index.AsLiteral().Value().(string); ok {
			return s.selected(node.field(name))
		}
	}
	return s.selected(node.value())
}

// method returns the node of the result of a method. A macro names its
// receiver's elements.
func (s *selection) method(c ast.CallExpr, variables map[string]schemaNode) schemaNode {
	target, args := s.of(c.Target(), variables), c.Args()
	isList := target.Items() != nil
	if slices.Contains(macros, c.FunctionName()) && len(args) > 1 {
		elements := target.item()
		if !isList {
			elements = target.value()
		}
		if c.FunctionName() == "optMap" || c.FunctionName() == "optFlatMap" {
			elements, isList = target, true // of what an optional value holds
		}
		variables = with(variables, args, elements, isList)
	}
	for _, arg := range args {
		s.of(arg, variables)
	}
	switch c.FunctionName() {
	case "filter", "sortBy", "orValue", "value", "sort", "distinct", "reverse", "slice":
		return target
	case "first", "last":
		return target.item()
	}
	return schemaNode{}
}

// with returns variables with those that a macro names. The one variable of a
// map is a key; of two the second is the element.
func with(
	variables map[string]schemaNode, args []ast.Expr, elements schemaNode, isList bool,
) map[string]schemaNode {
	out := maps.Clone(variables)
	hasTwo := len(args) > 2 && args[1].Kind() == ast.IdentKind
	if args[0].Kind() == ast.IdentKind {
		out[args[0].AsIdent()] = schemaNode{}
		if !hasTwo && isList {
			out[args[0].AsIdent()] = elements
		}
	}
	if hasTwo {
		out[args[1].AsIdent()] = elements
	}
	return out
}
