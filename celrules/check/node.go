package check

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/celrules/internal/decl"
	"github.com/crdsem/crdsem/structural"
)

// node is a schema node on the spine, with what it inherits from the nodes
// above it. It corresponds to the server's CELSchemaContext in
// apiextensions-apiserver/pkg/apis/apiextensions/validation/cel_validation.go.
// Nodes are made on the way down from the root. They are not shared, since
// identical schemas differ in what they inherit.
type node struct {
	checker *schemaChecker
	parent  *node // nil at the root
	schema  *structural.Schema
	path    *field.Path
	step    step   // from the parent
	name    string // of the property, for byProperty

	inScope        bool // the node or one above has rules
	cardinality    cardinality
	uncorrelatable *field.Path // the outermost node above whose children have no old values

	declared   bool
	decl       *decl.Node
	noElements bool // the parent's declaration has no elements, though its schema has
}

// step is how a node is reached from its parent.
type step uint8

const (
	atRoot step = iota
	byProperty
	byItems
	byAdditionalProperties
)

// root returns the node of a resource's schema.
func (c *schemaChecker) root(schema *structural.Schema, path *field.Path) *node {
	return &node{
		checker: c, schema: schema, path: path, inScope: len(schema.Rules()) > 0,
		cardinality: cardinality{product: 1},
	}
}

// children calls yield for each child with rules at or below it, in the
// server's order: additionalProperties, properties by name, items.
func (n *node) children(yield func(*node)) {
	visit := func(schema *structural.Schema, how step, name string) {
		if schema.HasRules() {
			yield(n.child(schema, how, name))
		}
	}
	visit(n.schema.AdditionalSchema(), byAdditionalProperties, "")
	for name, property := range n.schema.Properties() {
		visit(property, byProperty, name)
	}
	visit(n.schema.Items(), byItems, "")
}

func (n *node) child(schema *structural.Schema, how step, name string) *node {
	c := &node{
		checker: n.checker, parent: n, schema: schema,
		path: n.childPath(how, name), step: how, name: name,
		inScope:        n.inScope || len(schema.Rules()) > 0,
		cardinality:    n.cardinality.times(elements(n.schema)),
		uncorrelatable: n.uncorrelatable,
	}
	if c.uncorrelatable == nil && n.losesOld(how) {
		c.uncorrelatable = n.path
	}
	return c
}

// childPath returns the path of a child in the definition.
func (n *node) childPath(how step, name string) *field.Path {
	switch how {
	case byProperty:
		return n.path.Child("properties").Key(name)
	case byItems:
		return n.path.Child("items")
	}
	return n.path.Child("additionalProperties")
}

// declaration returns the declaration of the node's values, nil if CEL cannot
// see the node.
func (n *node) declaration() *decl.Node {
	if !n.declared {
		n.declared = true
		n.decl = n.declare()
	}
	return n.decl
}

// declare takes the declaration from the parent's if a node above has rules:
// the metadata of a resource then looks as it does to the rules above.
// Otherwise the node is declared by its own schema.
func (n *node) declare() *decl.Node {
	var found *decl.Node
	if n.parent != nil && n.parent.inScope {
		above := n.parent.declaration()
		if above == nil {
			n.noElements = n.parent.noElements
			return nil
		}
		found = n.declarationWithin(above)
		if found == nil && n.step != byProperty {
			n.noElements = true
			return nil
		}
	}
	universe := n.checker.compiled.Universe(n.checker.settings.Profile)
	switch {
	case found != nil:
	case n.parent == nil:
		found = universe.Root(n.schema)
	default:
		found = universe.Inner(n.schema)
	}
	if found.Omitted() {
		return nil
	}
	return found
}

// declarationWithin returns the declaration of the node, found in the
// declaration of its parent.
func (n *node) declarationWithin(parent *decl.Node) *decl.Node {
	if n.step != byProperty {
		return parent.ElemDecl()
	}
	escaped, ok := decl.Escape(n.name)
	if !ok {
		return nil
	}
	return parent.Field(escaped)
}
