// Package common presents parts of an object as CEL values: lazily, without
// copying, with the equality and concatenation of their list types.
//
// For example, the list `["a", "b"]` of type set equals `["b", "a"]`, and
// `["a", "b"] + ["b", "c"]` has three items.
//
// The package and its types keep the names that they have in the API server,
// because error messages show them (%T): an index of an unsupported type is
// reported as `invalid qualifier type: *common.unstructuredMap`. Do not rename
// them.
//
// # Terms
//
//   - object, map: a node with declared fields, and a node with arbitrary keys.
//     Both are CEL maps. The keys of objects are escaped names.
//   - atomic list, set, list-map: a list by its list type, which decides what
//     == and + mean.
//   - value without a type: a value whose schema names no type. It can only be
//     compared.
//
// # Specification
//
// Rules CEL-040 to CEL-053;
// https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#validation-rules.
//
// # Deviations
//
// Maps are iterated in the order of their keys. The order of a server is
// random.
package common
