// Package generate makes structural schemas, custom resource definitions and objects
// from a seed: input for differential tests, fuzzing and load.
//
// Everything it makes is a plain JSON value of map[string]any, []any, string, bool,
// int64, float64 and nil. The same [Rand] in the same state makes the same value.
//
// Functions that take a schema, such as [Object] and [Broken], follow that schema as far
// as it can be followed by construction, quickly and without asking whether they got
// there: input for comparisons. [Resources] makes whole objects of a definition and asks
// the facade about each: what it calls valid is admitted, rules included, and what it
// calls broken is refused where it says. An object that is refused is changed where its
// errors lie, at what the rule that failed or the junctor speaks of, and asked about
// again. The effort is bounded: where it finds nothing, an [UnmadeError] tells what the
// nearest object was refused for, and by which rule. That may be because there is no such
// object, as under limits that cross.
//
// # Use in fuzz targets
//
// [FromBytes] lets the bytes of a fuzz target (testing.F) decide the choices one by one, so
// that a fuzzer which changes or takes away bytes changes or simplifies the object. What a
// target finds is made small by [Shrink], which asks the same question about ever
// smaller values.
//
// # Terms
//
//   - valid object: of Resources, one that the server admits as it is; made from a schema
//     alone, one that keeps every keyword of the schema's own nodes, and what allOf, anyOf,
//     oneOf and not ask where it can be merged.
//   - boundary object: a valid object whose numbers, lengths and counts lie at the
//     limits that the schema sets.
//   - broken object: a valid object with one keyword broken, and told which
//     ([Breakage]).
//   - wild object: one that may have anything anywhere.
//   - resource: an object with apiVersion, kind and a name.
//   - update: a new state of an object, made by a few changes ([Update], Resources.Update).
//   - mutation: a change of any JSON value that needs no schema ([Mutate]).
//   - flaw: something in a schema or definition that the API server refuses.
//   - shrink: to make a value smaller while it stays interesting ([Shrink]).
//
// # Specification
//
// The keywords are those of the structural schemas of Kubernetes 1.37 (STR-001 and
// on). What is valid is decided by package crdsem (PIPE-010 to PIPE-018, PIPE-030). What
// is generated follows no distribution that a caller may rely on.
//
// # Deviations
//
// None: whether an object is valid is not decided here.
package generate
