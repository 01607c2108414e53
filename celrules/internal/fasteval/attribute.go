package fasteval

import (
	"sync/atomic"

	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"

	"github.com/crdsem/crdsem/celrules/internal/decl"
)

// attribute is a variable or another expression with the fields, keys and
// indices that are selected from it, e.g. `self`, `.spec` and `.replicas` of
// `self.spec.replicas`.
type attribute struct {
	base  step
	own   uint64 // the charge for the attribute itself
	quals []qualifier
}

// qualifier is one selection: by a field or key, or by an index that is
// evaluated. One of the fields is set.
type qualifier struct {
	field *selection
	index step
}

// selection looks a field up in an object or a key in a map. It remembers the
// declaration of the field in the first object it sees, because most selections
// see objects of one declaration only.
type selection struct {
	identifier string // as written, which is the key of a map
	name       string // unescaped, which is the field of an object
	escaped    bool   // identifier is a valid escaped name
	first      atomic.Pointer[child]
}

// child is a node and the node of the object it is a field of.
type child struct{ of, node *decl.Node }

func newSelection(identifier string) *selection {
	s := &selection{identifier: identifier}
	s.name, s.escaped = decl.Unescape(identifier)
	return s
}

// newAttribute compiles a variable, or a selection from something.
func (c *compiler) newAttribute(e ast.Expr, as mode) evaluator {
	return evaluator{step: c.chain(e, as).step()}
}

// step returns the step of an attribute. The two most frequent shapes, a
// variable and one field of something, have shorter steps.
func (a attribute) step() step {
	cost := a.own + uint64(len(a.quals))*selectCost
	base := a.base
	switch {
	case len(a.quals) == 0 && cost == 0:
		return base
	case len(a.quals) == 0:
		return func(m *Machine) val {
			m.cost += cost
			return base(m)
		}
	case len(a.quals) == 1 && a.quals[0].field != nil:
		field := a.quals[0].field
		return func(m *Machine) val {
			m.cost += cost
			v := base(m)
			return field.of(&v)
		}
	}
	quals := a.quals
	return func(m *Machine) val {
		m.cost += cost
		v := base(m)
		for i := range quals {
			v = quals[i].of(m, &v)
		}
		return v
	}
}

// newPresence compiles has(): the fields up to the last are selected, the last
// one is looked for.
func (c *compiler) newPresence(e ast.Expr) evaluator {
	a := c.chain(e, executed)
	if c.left {
		return evaluator{}
	}
	base, quals := a.base, a.quals[:len(a.quals)-1]
	last := a.quals[len(a.quals)-1].field
	cost := uint64(len(a.quals)) * selectCost
	return evaluator{test: func(m *Machine) truth {
		m.cost += cost
		v := base(m)
		for i := range quals {
			v = quals[i].of(m, &v)
		}
		return last.present(&v)
	}}
}

// chain collects the selections of an expression down to a variable or to
// another expression.
func (c *compiler) chain(e ast.Expr, as mode) attribute {
	switch {
	case c.losesSchema(e):
	case e.Kind() == ast.IdentKind:
		return attribute{base: c.variable(e), own: as.charge()}
	case e.Kind() == ast.SelectKind && !c.isReference(e):
		sel := e.AsSelect()
		a := c.operand(sel.Operand(), as)
		a.quals = append(a.quals, qualifier{field: newSelection(sel.FieldName())})
		return a
	case e.Kind() == ast.CallKind && e.AsCall().FunctionName() == operators.Index:
		return c.indexed(e, as)
	}
	c.left = true
	return attribute{}
}

// charge returns the charge for an attribute itself.
func (as mode) charge() uint64 {
	if as == executed {
		return identCost
	}
	return 0
}

// isReference reports whether the type checker resolved an expression to a
// declaration, e.g. a qualified name.
func (c *compiler) isReference(e ast.Expr) bool {
	_, ok := c.checked.ReferenceMap()[e.ID()]
	return ok
}

// operand compiles the expression that something is selected from. Selections
// from a conditional are left to cel-go, where it is an attribute of another
// kind.
func (c *compiler) operand(e ast.Expr, as mode) attribute {
	switch e.Kind() {
	case ast.IdentKind, ast.SelectKind:
		return c.chain(e, as)
	case ast.CallKind:
		switch e.AsCall().FunctionName() {
		case operators.Index:
			return c.chain(e, as)
		case operators.Conditional:
			c.left = true
			return attribute{}
		}
	}
	return attribute{base: c.step(e, executed), own: as.charge()}
}

// losesSchema reports whether an attribute of an expression has no schema,
// which is left to cel-go. Those of optional values had none before Kubernetes
// 1.37.
func (c *compiler) losesSchema(e ast.Expr) bool {
	return !c.env.Profile().OptionalContents &&
		c.checked.GetType(e.ID()).TypeName() == types.OptionalType.TypeName()
}

// indexed compiles `a[b]`. A constant string as index selects like a field.
func (c *compiler) indexed(e ast.Expr, as mode) attribute {
	args := e.AsCall().Args()
	a := c.operand(args[0], as)
	if v, ok := c.constant(args[1]); ok {
		switch key := v.(type) {
		case types.String:
			a.quals = append(a.quals, qualifier{field: newSelection(string(key))})
			return a
		case types.Int, types.Uint, types.Double, types.Bool:
		default:
			c.left = true // planning fails
		}
	}
	a.quals = append(a.quals, qualifier{index: c.step(args[1], resolved)})
	return a
}

// variable compiles an identifier. Its charge is that of its attribute.
func (c *compiler) variable(e ast.Expr) step {
	name := e.AsIdent()
	for i := len(c.locals) - 1; i >= 0; i-- {
		if c.locals[i].name == name {
			slot := c.locals[i].slot
			return func(m *Machine) val { return m.slots[slot] }
		}
	}
	switch name {
	case "self":
		return func(m *Machine) val { return ofRaw(m.in.Self, m.in.Node) }
	case "oldSelf":
		return oldSelf
	}
	c.left = true
	return nil
}

// oldSelf evaluates the variable oldSelf.
func oldSelf(m *Machine) val {
	switch {
	case !m.in.HasOld:
		return val{}
	case m.in.OldValue != nil:
		return ofRef(m.in.OldValue)
	}
	return ofRaw(m.in.Old, m.in.Node)
}

// of selects from a value. Nothing can be selected from one that stopped, nor
// by one.
func (q *qualifier) of(m *Machine, v *val) val {
	if q.field != nil {
		return q.field.of(v)
	}
	index := q.index(m)
	switch {
	case index.kind == kindInt && v.kind == kindList:
		items := v.x.([]any)
		if index.n < 0 || index.n >= int64(len(items)) {
			return val{}
		}
		return ofRaw(items[index.n], v.node.Elem())
	case index.kind == kindInt && v.kind == kindBuilt:
		items := v.x.([]val)
		if index.n < 0 || index.n >= int64(len(items)) {
			return val{}
		}
		return items[index.n]
	case index.kind == kindString && v.kind == kindObject && !v.node.IsObject():
		raw, ok := v.x.(map[string]any)[index.s]
		node := v.node.Elem()
		if !ok || node == nil {
			return val{}
		}
		return ofRaw(raw, node)
	}
	other, _ := v.x.(ref.Val)
	return indexed(other, m.ref(&index))
}

// indexed selects from a list or map of cel-go.
func indexed(of, by ref.Val) val {
	switch of := of.(type) {
	case traits.Mapper:
		v, _ := of.Find(by)
		return ofRef(v)
	case traits.Lister:
		return ofRef(of.Get(by))
	}
	return val{}
}

// of selects a field or key. It stops if there is no such field or key.
func (s *selection) of(v *val) val {
	switch x := v.x.(type) {
	case map[string]any:
		if raw, node, ok := s.find(x, v.node); ok {
			return ofRaw(raw, node)
		}
	case traits.Mapper:
		v, _ := x.Find(types.String(s.identifier))
		return ofRef(v)
	}
	return val{}
}

// find looks a field up in an object or a key in a map. A field with null is
// absent, a key with null is not (CEL-047).
func (s *selection) find(fields map[string]any, of *decl.Node) (any, *decl.Node, bool) {
	key := s.identifier
	isObject := of.IsObject()
	if isObject {
		if !s.escaped {
			return nil, nil, false
		}
		key = s.name
	}
	raw, ok := fields[key]
	if !ok || isObject && raw == nil {
		return nil, nil, false
	}
	last := s.first.Load()
	if last == nil {
		last = &child{of: of, node: of.Value(key)}
		s.first.Store(last)
	}
	node := last.node
	if last.of != of {
		node = of.Value(key)
	}
	return raw, node, node != nil
}

// present reports whether a field or key is there. A value that does not match
// its declaration stops.
func (s *selection) present(v *val) truth {
	var found val
	switch x := v.x.(type) {
	case map[string]any:
		raw, node, ok := s.find(x, v.node)
		if !ok {
			return no
		}
		found = ofRaw(raw, node)
	case traits.Mapper:
		value, ok := x.Find(types.String(s.identifier))
		if !ok {
			return no
		}
		found = ofRef(value)
	}
	if found.kind == kindStopped {
		return unknown
	}
	return yes
}
