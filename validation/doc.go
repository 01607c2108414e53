// Package validation validates the values of a custom resource as the API
// server does: OpenAPI keywords and formats, embedded metadata, list types, and
// ratcheting on an update. A schema is compiled once. The result is immutable
// and safe for concurrent use. Validating a valid object allocates nothing.
//
// # Terms
//
//   - value validation: the keywords type, format, enum, pattern, minimum,
//     required, allOf and so on.
//   - junctor: allOf, anyOf, oneOf or not. A schema in a junctor is a branch.
//   - spine: the schema nodes that are not in a branch.
//   - embedded resource: an object with apiVersion, kind and metadata of its
//     own (x-kubernetes-embedded-resource), e.g. a Pod template.
//   - list type: x-kubernetes-list-type. A set has no duplicate items, a
//     list-map no two items with the same keys.
//   - ratcheting: on an update, errors of a value that did not change are
//     dropped. Such errors are ratcheted.
//   - base path: the field path that the caller gives to the validated value,
//     e.g. status; nil for a whole object.
//   - match count: how many checks a value ran or passed, by which the server
//     finds the branch of anyOf or oneOf that came nearest.
//   - tautology: a schema that accepts every value.
//
// # Specification
//
// Rules VAL-001 to VAL-100 (values), FMT-000 and the FMT formats, LST-001 to
// LST-041 (list types), RAT-001 to RAT-041 (ratcheting), META-001 to META-012
// (embedded metadata), DEF-051 to DEF-053 (values of defaults). Fields and
// texts of errors are the server's.
//
// # Deviations
//
// The order of errors is fixed where the server's is random. The fields of an
// object are visited in the byte order of their names, those under
// additionalProperties before the declared ones.
package validation
