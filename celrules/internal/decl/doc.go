// Package decl views structural schemas as CEL types: which declaration a node has, how large its values can be, and
// which node describes a field.
//
// # Terms
//
//   - node: a schema node seen by CEL. A resource root and the same schema elsewhere are two nodes, because a resource root
//     also declares apiVersion, kind and metadata.
//   - escaped name: the identifier by which a property is selected in an expression.
//   - scope: one node taken as self, with the nominal types of everything reached from it.
//   - omitted: a node that CEL cannot see, because its schema names no type.
//
// # Specification
//
// Rules CEL-020 to CEL-033 and COST-011 to COST-014;
// https://kubernetes.io/docs/reference/using-api/cel/#type-system-integration.
//
// # Deviations
//
// The types of a scope are shown as selfType, selfType.field and so on; a server appends a number that differs from run to run. As
// there, no expression can name them.
package decl
