// Package value presents parts of unstructured objects as CEL values: lazily, without copying, with the equality and
// concatenation of their list types.
//
// # Terms
//
//   - object, map: a node with declared fields, and one with arbitrary keys. Both are CEL maps; keys of objects are escaped names.
//   - atomic list, set, list-map: a list by its list type, which decides what == and + mean.
//   - opaque: a value whose schema names no type; it can only be compared.
//
// # Specification
//
// Rules CEL-040 to CEL-053; https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#validation-rules.
//
// # Deviations
//
// Maps are iterated in the order of their keys; a server's order is random.
package value
