// Package decl views structural schemas as CEL types, which Kubernetes calls
// DeclTypes: which type a schema node has in an expression, how large its
// values can be, and which node declares a field.
//
// For example, `{"type": "string", "maxLength": 5}` is a CEL string of at most
// 20 bytes, and a property "x-y" is selected as `self.x__dash__y`.
//
//	decltype.go   the CEL type of each kind of schema, e.g. of int-or-string
//	node.go       nodes and the nodes of their fields, items and map values
//	metadata.go   metadata of resources, which schemas need not declare
//	sizes.go      the sizes of values, from which costs are estimated
//	escape.go     the escaping of property names
//	scope.go      nodes as cel-go's type provider
//	canonical.go  which nodes are interchangeable
//
// # Terms
//
//   - node: a schema node as CEL sees it. A resource root and the same schema
//     elsewhere are two nodes, because a resource root also declares
//     apiVersion, kind and metadata.
//   - object, map: a node with declared fields, and a node with arbitrary keys.
//   - escaped name: the identifier that selects a property in an expression,
//     e.g. `__namespace__` for "namespace".
//   - scope: one node taken as self, with the types of everything that can be
//     reached from it.
//   - omitted: said of a node that CEL cannot see, because its schema names no
//     type.
//
// # Specification
//
// Rules CEL-020 to CEL-033 and COST-011 to COST-014;
// https://kubernetes.io/docs/reference/using-api/cel/#type-system-integration.
//
// # Deviations
//
// Messages call the types of a scope selfType, selfType.field and so on. A
// server appends a number that differs from run to run. In both cases no
// expression can name them.
package decl
