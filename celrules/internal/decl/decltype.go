package decl

import (
	"cel.dev/cel-go/cel"

	"github.com/crdsem/crdsem/structural"
)

// Kind is the kind of CEL type that a schema node has (CEL-020).
//
//	schema                                 kind         CEL type
//	x-kubernetes-int-or-string: true       IntOrString  dyn
//	type: object                           Object       its own object type
//	type: object, additionalProperties     Object       map(string, value)
//	type: array                            List         list(item)
//	type: string                           String       string
//	type: string, format: byte             Bytes        bytes
//	type: string, format: duration         Duration     duration
//	type: string, format: date             Date         timestamp
//	type: string, format: date-time        DateTime     timestamp
//	type: number                           Number       double
//	type: integer                          Integer      int
//	type: boolean                          Boolean      bool
//	no type                                Untyped      omitted
//	any other type                         Unknown      omitted
type Kind uint8

// The kinds.
const (
	Untyped Kind = iota
	Unknown
	IntOrString
	Object
	List
	String
	Bytes
	Duration
	Date
	DateTime
	Number
	Integer
	Boolean
)

// kindOf returns the kind of a schema.
func kindOf(s *structural.Schema) Kind {
	if s.IntOrString() {
		return IntOrString
	}
	switch s.Type() {
	case "":
		return Untyped
	case "object":
		return Object
	case "array":
		return List
	case "string":
		return stringKind(s.Values().Format)
	case "number":
		return Number
	case "integer":
		return Integer
	case "boolean":
		return Boolean
	}
	return Unknown
}

// stringKind returns the kind of a string with a format.
func stringKind(format string) Kind {
	switch format {
	case "byte":
		return Bytes
	case "duration":
		return Duration
	case "date":
		return Date
	case "date-time":
		return DateTime
	}
	return String
}

// typeOf returns the type of a node under a name, e.g. "selfType.spec". It
// remembers the object types in it.
func (s *Scope) typeOf(n *Node, name string) *cel.Type {
	switch n.Kind {
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
	return cel.DynType // of IntOrString; omitted nodes are not asked
}

// scalarType returns the types that are found by name wherever a struct type
// may stand, nil for any other name.
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
