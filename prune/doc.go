// Package prune removes the fields of an object that its structural schema does
// not specify, e.g. `spec.replcias` where the schema has `spec.replicas`.
//
// It is for programs that show or keep only what a server would keep of an
// object, and that say which fields it would drop.
//
// # Terms
//
//   - resource: an object with apiVersion, kind and metadata. Pruning leaves
//     the three alone.
//   - embedded resource: a resource inside an object, e.g. `spec.template`,
//     that the schema marks with x-kubernetes-embedded-resource.
//   - unknown field: a field that the schema neither names in properties nor
//     admits by additionalProperties.
//   - preserving: a node with x-kubernetes-preserve-unknown-fields keeps its
//     unknown fields. Fields that it specifies are pruned below.
//
// # Specification
//
// Rules PRN-001 to PRN-031;
// https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#field-pruning.
package prune
