package fasteval

import (
	"sync/atomic"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"

	"github.com/crdsem/crdsem/celrules/internal/decl"
)

// attribute is a variable or the result of an expression, with the fields and indices selected from it.
type attribute struct {
	base  step
	own   uint64 // charged for the attribute itself
	quals []qualifier
}

// qualifier is one selection: by a field or key, or by an index that is evaluated.
type qualifier struct {
	field *selection
	index step
}

// selection looks a field up; it remembers the node of the first object, for most see only one.
type selection struct {
	identifier string // as written: the key of a map
	name       string // unescaped: the field of an object
	escaped    bool   // name is known
	first      atomic.Pointer[child]
}

type child struct{ of, node *decl.Node }

func newSelection(identifier string) *selection {
	s := &selection{identifier: identifier}
	s.name, s.escaped = decl.Unescape(identifier)
	return s
}

// attribute compiles a variable, or a selection from something.
func (c *compiler) attribute(e ast.Expr, as mode) step {
	a := c.chain(e, as)
	if c.unsupported {
		return nil
	}
	cost := a.own + uint64(len(a.quals))
	base := a.base
	switch {
	case len(a.quals) == 0 && cost == 0:
		return base
	case len(a.quals) == 0:
		return func(m *machine) val {
			m.cost += cost
			return base(m)
		}
	case len(a.quals) == 1 && a.quals[0].field != nil:
		field := a.quals[0].field
		return func(m *machine) val {
			m.cost += cost
			v := base(m)
			return field.of(&v)
		}
	}
	quals := a.quals
	return func(m *machine) val {
		m.cost += cost
		v := base(m)
		for i := range quals {
			if v.kind == stopped {
				return stop
			}
			v = quals[i].of(m, &v)
		}
		return v
	}
}

// presence compiles has(): the fields up to the last are selected, the last is looked for. The test itself costs what the
// attribute would not.
func (c *compiler) presence(e ast.Expr) test {
	a := c.chain(e, executed)
	if c.unsupported {
		return nil
	}
	base, quals := a.base, a.quals[:len(a.quals)-1]
	last := a.quals[len(a.quals)-1].field
	cost := uint64(len(a.quals))
	return func(m *machine) truth {
		m.cost += cost
		v := base(m)
		for i := range quals {
			if v.kind == stopped {
				return unknown
			}
			v = quals[i].of(m, &v)
		}
		return last.present(&v)
	}
}

// chain collects the selections of an expression down to a variable or to what is no selection.
func (c *compiler) chain(e ast.Expr, as mode) attribute {
	switch {
	case e.Kind() == ast.IdentKind:
		return attribute{base: c.variable(e), own: charge(as)}
	case e.Kind() == ast.SelectKind && !c.isReference(e):
		sel := e.AsSelect()
		a := c.operand(sel.Operand(), as)
		a.quals = append(a.quals, qualifier{field: newSelection(sel.FieldName())})
		return a
	case e.Kind() == ast.CallKind && e.AsCall().FunctionName() == operators.Index && len(e.AsCall().Args()) == 2:
		return c.indexed(e, as)
	}
	c.unsupported = true
	return attribute{}
}

func charge(as mode) uint64 {
	if as == executed {
		return 1
	}
	return 0
}

func (c *compiler) isReference(e ast.Expr) bool {
	_, ok := c.checked.ReferenceMap()[e.ID()]
	return ok
}

// operand compiles what is selected from. Conditionals and the results of has are attributes of their own sort.
func (c *compiler) operand(e ast.Expr, as mode) attribute {
	switch e.Kind() {
	case ast.IdentKind:
		if _, ok := c.constant(e); ok {
			c.unsupported = true
			return attribute{}
		}
		return c.chain(e, as)
	case ast.SelectKind:
		return c.chain(e, as)
	case ast.CallKind:
		switch e.AsCall().FunctionName() {
		case operators.Index:
			return c.chain(e, as)
		case operators.Conditional, operators.OptIndex, operators.OptSelect:
			c.unsupported = true
			return attribute{}
		}
	}
	return attribute{base: c.step(e, executed), own: charge(as)}
}

func (c *compiler) indexed(e ast.Expr, as mode) attribute {
	args := e.AsCall().Args()
	a := c.operand(args[0], as)
	if v, ok := c.constant(args[1]); ok {
		if key, isText := v.(types.String); isText {
			a.quals = append(a.quals, qualifier{field: newSelection(string(key))})
			return a
		}
	}
	a.quals = append(a.quals, qualifier{index: c.step(args[1], resolved)})
	return a
}

// variable compiles an identifier; what it costs is up to the attribute.
func (c *compiler) variable(e ast.Expr) step {
	name := e.AsIdent()
	for i := len(c.locals) - 1; i >= 0; i-- {
		if c.locals[i].name == name {
			slot := c.locals[i].slot
			return func(m *machine) val { return m.slots[slot] }
		}
	}
	switch name {
	case "self":
		return func(m *machine) val { return ofRaw(m.in.Self, m.in.Node) }
	case "oldSelf":
		return oldSelf
	}
	return c.unsupportedStep()
}

func oldSelf(m *machine) val {
	switch {
	case !m.in.HasOld:
		return stop
	case m.in.OldValue != nil:
		return ofRef(m.in.OldValue)
	}
	return ofRaw(m.in.Old, m.in.Node)
}

func (q *qualifier) of(m *machine, v *val) val {
	if q.field != nil {
		return q.field.of(v)
	}
	index := q.index(m)
	switch {
	case index.kind == whole && v.kind == list:
		items := v.x.([]any)
		if index.n < 0 || index.n >= int64(len(items)) {
			return stop
		}
		return ofRaw(items[index.n], v.node.Elem())
	case index.kind == whole && v.kind == built:
		items := v.x.([]val)
		if index.n < 0 || index.n >= int64(len(items)) {
			return stop
		}
		return items[index.n]
	case index.kind == text && v.kind == object && !v.node.IsObject():
		raw, ok := v.x.(map[string]any)[index.s]
		node := v.node.Elem()
		if !ok || node == nil {
			return stop
		}
		return ofRaw(raw, node)
	case index.kind == stopped || v.kind != other:
		return stop
	}
	return indexed(v.x.(ref.Val), index.ref())
}

func indexed(of, by ref.Val) val {
	switch of := of.(type) {
	case traits.Mapper:
		v, found := of.Find(by)
		if !found {
			return stop
		}
		return ofRef(v)
	case traits.Lister:
		return ofRef(of.Get(by))
	}
	return stop
}

// of selects a field or key; what is not there stops.
func (s *selection) of(v *val) val {
	if v.kind != object {
		if v.kind != other {
			return stop
		}
		mapper, ok := v.x.(ref.Val).(traits.Mapper)
		if !ok {
			return stop
		}
		found, ok := mapper.Find(types.String(s.identifier))
		if !ok {
			return stop
		}
		return ofRef(found)
	}
	raw, node, ok := s.find(v)
	if !ok {
		return stop
	}
	return ofRaw(raw, node)
}

// find looks a field up in an object or a key in a map (CEL-047).
func (s *selection) find(v *val) (any, *decl.Node, bool) {
	key := s.identifier
	isObject := v.node.IsObject()
	if isObject {
		if !s.escaped {
			return nil, nil, false
		}
		key = s.name
	}
	raw, ok := v.x.(map[string]any)[key]
	if !ok || isObject && raw == nil {
		return nil, nil, false
	}
	last := s.first.Load()
	if last == nil {
		last = &child{of: v.node, node: v.node.Value(key)}
		s.first.Store(last)
	}
	node := last.node
	if last.of != v.node {
		node = v.node.Value(key)
	}
	return raw, node, node != nil
}

// present tells whether a field or key is there. What does not fit its node stops.
func (s *selection) present(v *val) truth {
	switch v.kind {
	case object:
		raw, node, ok := s.find(v)
		if !ok {
			return no
		}
		if found := ofRaw(raw, node); found.kind == stopped {
			return unknown
		}
		return yes
	case other:
		mapper, ok := v.x.(ref.Val).(traits.Mapper)
		if !ok {
			return unknown
		}
		found, ok := mapper.Find(types.String(s.identifier))
		if ok && types.IsUnknownOrError(found) {
			return unknown
		}
		return truthOf(ok)
	}
	return unknown
}
