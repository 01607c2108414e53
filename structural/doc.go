// Package structural is the structural-schema model: what an openAPIV3Schema of a CustomResourceDefinition says, decoded once,
// checked against the rules of structural schemas, and read by every other package of this module.
//
// # Terms
//
//   - structural schema: an OpenAPI v3 schema in which every field that exists is specified once, outside of logical junctors.
//   - junctor: allOf, anyOf, oneOf, not.
//   - spine: the nodes reached from the root through properties, items and additionalProperties without crossing a junctor.
//   - nested: at or below a junctor; such a node only restricts values.
//   - embedded resource: an object with its own apiVersion, kind and metadata (x-kubernetes-embedded-resource).
//   - list-map keys: the properties that identify an item of a list of type map.
//
// # Specification
//
// Rules STR-001 to STR-140; https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#specifying-a-structural-schema.
//
// # Deviations
//
// A nested additionalProperties is kept in the model, where the server's own model loses it; the rules treat it as the server does.
package structural
