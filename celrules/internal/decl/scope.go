package decl

import (
	"strings"
	"sync"

	celcost "cel.dev/cel-go/common/cost"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
)

// unwritable is a byte that is not part of any character, so no expression can
// contain a name with it. On a server the names of types are out of reach
// because they have a number that is chosen for each compilation.
const unwritable = "\xff"

// selfName is the name of the type of self, if self is an object.
const selfName = "selfType" + unwritable

// Shown returns a message without the bytes that keep expressions from naming
// types, and without the addresses of expressions, e.g. &{2 0xc0001}.
func Shown(text string) string {
	const conflict = "incompatible type already exists for expression: &{"
	var out strings.Builder
	for rest := strings.ReplaceAll(text, unwritable, ""); ; {
		before, after, found := strings.Cut(rest, conflict)
		out.WriteString(before)
		if !found {
			return out.String()
		}
		id, after, _ := strings.Cut(after, " ")
		_, after, _ = strings.Cut(after, "}")
		out.WriteString(conflict + id + "}")
		rest = after
	}
}

// Scope is one node taken as self. It provides the types of everything that can
// be reached from it. Object types are nominal: two fields have different types
// even if their schemas are equal (CEL-021). A type is built when an expression
// first needs it. Scope implements types.Provider and is safe for concurrent
// use.
type Scope struct {
	types.Provider
	// EscapedFields requires that reserved words are escaped, e.g.
	// `self.__namespace__`. It is set before the scope is used.
	EscapedFields bool
	// NoOptionalType hides the name optional_type. It is set before the scope
	// is used.
	NoOptionalType bool

	root *Node
	self *cel.Type

	mu    sync.Mutex
	named map[string]*Node
}

// NewScope returns the scope of a node that is not omitted. It asks base about
// everything that it does not know.
func NewScope(root *Node, base types.Provider) *Scope {
	s := &Scope{Provider: base, root: root, named: map[string]*Node{}}
	s.self = s.typeOf(root, selfName)
	return s
}

// FindIdent returns the type or the constant of a name.
func (s *Scope) FindIdent(name string) (ref.Val, bool) {
	if s.NoOptionalType && name == types.OptionalType.TypeName() {
		return nil, false
	}
	return s.Provider.FindIdent(name)
}

// Root returns the node of self.
func (s *Scope) Root() *Node { return s.root }

// SelfType returns the type of self.
func (s *Scope) SelfType() *cel.Type { return s.self }

// Field returns the node of a declared field by its escaped name, nil if the
// node has no such field.
func (n *Node) Field(identifier string) *Node {
	if n == nil || n.Kind != Object || n.IsMap() {
		return nil
	}
	name, ok := Unescape(identifier)
	if !ok {
		return nil
	}
	field := n.Property(name)
	if field == nil || field.Omitted() {
		return nil
	}
	if escaped, ok := Escape(name); !ok || escaped != identifier {
		return nil
	}
	return field
}

// lookup returns the node of an object type, nil if the scope has none of that
// name.
func (s *Scope) lookup(typeName string) *Node {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.named[typeName]
}

// FindStructType implements types.Provider. It looks for the scope's object
// types, then for scalars by name, then in the base (CEL-023).
func (s *Scope) FindStructType(typeName string) (*types.Type, bool) {
	if s.lookup(typeName) != nil {
		return types.NewTypeTypeWithParam(cel.ObjectType(typeName)), true
	}
	if scalar := scalarType(typeName); scalar != nil {
		return types.NewTypeTypeWithParam(scalar), true
	}
	return s.Provider.FindStructType(typeName)
}

// FindStructFieldNames implements types.Provider. Expressions cannot build
// structs, so it returns no names.
func (s *Scope) FindStructFieldNames(string) ([]string, bool) { return []string{}, false }

// FindStructFieldType implements types.Provider. A reserved word that the
// grammar accepts after a dot, e.g. `self.namespace`, stands for its escaped
// form (CEL-022).
func (s *Scope) FindStructFieldType(typeName, identifier string) (*types.FieldType, bool) {
	n := s.lookup(typeName)
	if n == nil {
		return s.Provider.FindStructFieldType(typeName, identifier)
	}
	field := n.Field(identifier)
	if reserved[identifier] && !s.EscapedFields {
		identifier = "__" + identifier + "__"
		field = n.Field(identifier)
	}
	if field == nil {
		return nil, false
	}
	return &types.FieldType{Type: s.typeOf(field, typeName+"."+identifier)}, true
}

// NativeToValue implements types.Adapter with the adapter of the base.
func (s *Scope) NativeToValue(value any) ref.Val {
	if adapter, ok := s.Provider.(types.Adapter); ok {
		return adapter.NativeToValue(value)
	}
	return types.DefaultTypeAdapter.NativeToValue(value)
}

// EstimateSize implements the size part of cel-go's estimators for an
// expression whose self is declared by the node. It returns the largest size of
// the value at a path from any variable, nil if the path leaves the
// declarations (COST-011).
func (n *Node) EstimateSize(element celcost.AstNode) *celcost.SizeEstimate {
	path := element.Path()
	if len(path) == 0 {
		return nil
	}
	node := n
	for i, step := range path[1:] {
		switch step {
		case "@items", "@values":
			node = node.ElemDecl()
		case "@keys":
			if !node.IsMap() {
				return nil
			}
			if i+2 < len(path) {
				return nil // keys are strings: nothing is below
			}
			return &celcost.SizeEstimate{}
		default:
			node = node.Field(step)
		}
		if node == nil {
			return nil
		}
	}
	return &celcost.SizeEstimate{Max: uint64(node.MaxElements())}
}

// ElemDecl returns the node that declares list items or map values, nil for any
// other node.
func (n *Node) ElemDecl() *Node {
	if n != nil && (n.Kind == List || n.IsMap()) {
		return n.Elem()
	}
	return nil
}
