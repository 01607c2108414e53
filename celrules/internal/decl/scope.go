package decl

import (
	"strings"
	"sync"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/checker"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
)

// unwritable is a byte of no character: no expression can spell a name that has it. On a server the names of types are out of reach
// because they have a number that is made up for each compilation.
const unwritable = "\xff"

// selfName is the type name of a scope's own node where that is an object.
const selfName = "selfType" + unwritable

// Shown returns a text as it is shown: with the names of types free of what keeps expressions from spelling them.
func Shown(text string) string { return strings.ReplaceAll(text, unwritable, "") }

// Scope is one node taken as self. It provides the types of what is reached from it, which are nominal: two fields have
// different object types even if their schemas are equal (CEL-021). Types come into being when an expression first
// needs them. It implements types.Provider and is safe for concurrent use.
type Scope struct {
	types.Provider
	root *Node
	self *cel.Type

	mu    sync.Mutex
	named map[string]*Node
}

// NewScope makes the scope of a node that is not omitted. What the scope does not know, it asks of base.
func NewScope(root *Node, base types.Provider) *Scope {
	s := &Scope{Provider: base, root: root, named: map[string]*Node{}}
	s.self = s.typeOf(root, selfName)
	return s
}

// Root returns the node that is self.
func (s *Scope) Root() *Node { return s.root }

// SelfType returns the type of self.
func (s *Scope) SelfType() *cel.Type { return s.self }

// typeOf returns the type of a node under a name, and remembers the object types in it.
func (s *Scope) typeOf(n *Node, name string) *cel.Type {
	switch n.Kind {
	case IntOrString:
		return cel.DynType
	case Object:
		if n.IsMap() {
			return cel.MapType(cel.StringType, s.typeOf(n.Elem(), name+".@elem"))
		}
		s.mu.Lock()
		s.named[name] = n
		s.mu.Unlock()
		return cel.ObjectType(name)
	case List:
		return cel.ListType(s.typeOf(n.Elem(), name+".@idx"))
	case String:
		return cel.StringType
	case Bytes:
		return cel.BytesType
	case Duration:
		return cel.DurationType
	case Date, DateTime:
		return cel.TimestampType
	case Boolean:
		return cel.BoolType
	case Number:
		return cel.DoubleType
	case Integer:
		return cel.IntType
	}
	return cel.DynType // omitted nodes are asked for nowhere
}

// Field returns the node of a declared field by its escaped name, nil if the type has no such field.
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

func (s *Scope) lookup(typeName string) *Node {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.named[typeName]
}

// FindStructType implements types.Provider: the scope's object types, then scalars by name, then the base (CEL-023).
func (s *Scope) FindStructType(typeName string) (*types.Type, bool) {
	if s.lookup(typeName) != nil {
		return types.NewTypeTypeWithParam(cel.ObjectType(typeName)), true
	}
	if scalar := scalarType(typeName); scalar != nil {
		return types.NewTypeTypeWithParam(scalar), true
	}
	return s.Provider.FindStructType(typeName)
}

// FindStructFieldNames implements types.Provider; no struct can be built, so none is told.
func (s *Scope) FindStructFieldNames(string) ([]string, bool) { return []string{}, false }

// FindStructFieldType implements types.Provider. A reserved word that the grammar accepts after a dot stands for its escaped form (CEL-022).
func (s *Scope) FindStructFieldType(typeName, identifier string) (*types.FieldType, bool) {
	n := s.lookup(typeName)
	if n == nil {
		return s.Provider.FindStructFieldType(typeName, identifier)
	}
	field := n.Field(identifier)
	if field == nil && reserved[identifier] {
		identifier = "__" + identifier + "__"
		field = n.Field(identifier)
	}
	if field == nil {
		return nil, false
	}
	return &types.FieldType{Type: s.typeOf(field, typeName+"."+identifier)}, true
}

// NativeToValue implements types.Adapter with the base's adapter.
func (s *Scope) NativeToValue(value any) ref.Val {
	if adapter, ok := s.Provider.(types.Adapter); ok {
		return adapter.NativeToValue(value)
	}
	return types.DefaultTypeAdapter.NativeToValue(value)
}

// scalarType returns the types that are found by name wherever a struct type may stand.
func scalarType(name string) *cel.Type {
	switch name {
	case "bool":
		return cel.BoolType
	case "bytes":
		return cel.BytesType
	case "double":
		return cel.DoubleType
	case "duration":
		return cel.DurationType
	case "int":
		return cel.IntType
	case "null_type":
		return cel.NullType
	case "string":
		return cel.StringType
	case "timestamp":
		return cel.TimestampType
	case "uint":
		return cel.UintType
	case "list":
		return cel.ListType(cel.AnyType)
	case "map":
		return cel.MapType(cel.AnyType, cel.AnyType)
	}
	return nil
}

// EstimateSize implements the size part of cel-go's estimators: the largest size of what a path from any variable leads
// to, nil if the path leads out of the declarations (COST-011).
func (s *Scope) EstimateSize(element checker.AstNode) *checker.SizeEstimate {
	path := element.Path()
	if len(path) == 0 {
		return nil
	}
	node := s.root
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
			return &checker.SizeEstimate{}
		default:
			node = node.Field(step)
		}
		if node == nil {
			return nil
		}
	}
	return &checker.SizeEstimate{Max: uint64(node.MaxElements())}
}

// ElemDecl returns the node that declares list items or map values, nil for any other declaration.
func (n *Node) ElemDecl() *Node {
	if n != nil && (n.Kind == List || n.IsMap()) {
		return n.Elem()
	}
	return nil
}
