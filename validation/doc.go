// Package validation validates the values of a custom resource as the API server does: OpenAPI keywords and formats, embedded
// metadata, list types, and the ratcheting that forgives unchanged values on an update. A schema is compiled once; the
// result is immutable and safe for concurrent use. Validating a valid object allocates nothing.
//
// # Terms
//
//   - value validation: the keywords type, format, enum, pattern, minimum, required, allOf and so on.
//   - junctor: allOf, anyOf, oneOf, not; a schema in one is a branch.
//   - embedded resource: an object with apiVersion, kind and metadata of its own (x-kubernetes-embedded-resource).
//   - list type: x-kubernetes-list-type; a set has no item twice, a list-map no item with the same keys twice.
//   - ratcheting: on an update, errors of a value that did not change are dropped; they are ratcheted.
//   - base path: the field path that a caller gives to the validated value; nil for a whole object.
//
// # Specification
//
// Rules VAL-001 to VAL-100 (values), FMT-000 and the FMT formats, LST-001 to LST-041 (list types), RAT-001 to RAT-041 (ratcheting),
// META-001 to META-012 (embedded metadata), DEF-051 to DEF-053 (values of defaults). Fields and texts of errors are the server's.
//
// # Deviations
//
// The order of errors is fixed where the server's is random: the fields of an object are visited in the byte order of their names,
// those under additionalProperties before the declared ones.
package validation
