// Package prune removes from an object the fields that its structural schema does not specify, and those that the metadata of
// embedded resources does not have.
//
// # Terms
//
//   - resource: an object with apiVersion, kind and metadata; pruning leaves the three alone.
//   - embedded resource: a resource inside an object, marked by x-kubernetes-embedded-resource.
//   - unknown field: one that the schema neither names in properties nor admits by additionalProperties.
//   - preserving: x-kubernetes-preserve-unknown-fields; it holds at its node and not below the fields that the node specifies.
//   - coercing: reading a metadata as the server's ObjectMeta and writing it back.
//
// # Specification
//
// Rules PRN-001 to PRN-031 and META-004 to META-011;
// https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#field-pruning.
//
// # Deviations
//
// Where several embedded resources are malformed, [CoerceMetadata] reports the one whose path is first; the server reports any one.
package prune
