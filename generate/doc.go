// Package generate makes structural schemas, custom resource definitions and objects
// from a seed: input for differential tests, fuzzing and load.
//
// Everything it makes is a plain JSON value of map[string]any, []any, string, bool,
// int64, float64 and nil. The same [Rand] in the same state makes the same value.
//
// # Terms
//
//   - valid object: one that keeps every keyword of the schema's own nodes; what
//     allOf, anyOf, oneOf and not ask is followed where it can be merged, and rules
//     are not looked at.
//   - boundary object: a valid object whose numbers, lengths and counts lie at the
//     limits that the schema sets.
//   - broken object: a valid object with one keyword broken, and told which
//     ([Breakage]).
//   - wild object: one that may have anything anywhere.
//   - resource: an object with apiVersion, kind and a name, verified (Resources).
//   - update: a new state of an object, made by a few changes ([Update]).
//   - mutation: a change of any JSON value that needs no schema ([Mutate]).
//   - flaw: something in a schema or definition that the API server refuses.
//   - shrink: to make a value smaller while it stays interesting ([Shrink]).
//
// # Specification
//
// The keywords are those of the structural schemas of Kubernetes 1.37 (STR-001 and
// on). What is generated follows no distribution that a caller may rely on.
//
// # Deviations
//
// None.
package generate
