// Package common presents parts of unstructured objects as CEL values: lazily, without copying, with the equality and
// concatenation of their list types.
//
// The package and its types have the names that they have in the API server, for these names show: an index of an unsupported type is
// reported as `invalid qualifier type: *common.unstructuredMap`.
//
// # Terms
//
//   - object, map: a node with declared fields, and one with arbitrary keys. Both are CEL maps; keys of objects are escaped names.
//   - atomic list, set, list-map: a list by its list type, which decides what == and + mean.
//   - value without a type: a value whose schema names no type; it can only be compared.
//
// # Specification
//
// Rules CEL-040 to CEL-053; https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#validation-rules.
//
// # Deviations
//
// Maps are iterated in the order of their keys; a server's order is random.
package common
