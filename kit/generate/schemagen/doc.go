// Package schemagen makes structural schemas, CustomResourceDefinitions and
// objects from a random source: input for differential tests and fuzzing.
//
// [Schema] and [Definition] make documents from nothing. [Object], [Boundary],
// [Wild], [Broken] and [Update] follow a schema as far as that can be done by
// construction: quickly, and without asking whether the result keeps the
// schema. Package generate asks, and makes objects that the server admits.
//
// Every value is plain JSON: map[string]any, []any, string, bool, int64,
// float64 and nil. The same source in the same state makes the same value.
//
// # Use in fuzz targets
//
// [FromBytes] lets the bytes of a fuzz target decide the choices one by one. A
// fuzzer that changes or removes a byte then changes or simplifies the object.
// [Shrink] makes an object that a target found small: it asks the same question
// about ever smaller values.
//
// # Terms
//
//   - valid object: an object that keeps every keyword of the schema's own
//     nodes, and the branches of allOf, anyOf and oneOf where they can be
//     merged.
//   - boundary object: a valid object whose numbers, lengths and counts are at
//     the limits of the schema, e.g. a string of ten letters for maxLength 10.
//   - broken object: a valid object with one keyword broken. A [Breakage] says
//     which, e.g. minLength at spec.name.
//   - wild object: an object that may have any value anywhere.
//   - update: a new state of an object, made by a few changes.
//   - mutation: a change of any JSON value that needs no schema.
//   - flaw: a part of a schema or definition that the API server rejects.
//   - shrink: to make a value smaller while it stays interesting.
//
// # Specification
//
// The keywords are those of the structural schemas of Kubernetes 1.37 (STR-001
// and on). The generated values follow no distribution that callers may rely
// on.
package schemagen
