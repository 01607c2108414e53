// Package structural defines the model of a structural schema: the
// openAPIV3Schema of a CustomResourceDefinition, decoded once and checked
// against the rules of structural schemas. Every other package of this module
// reads it.
//
// [Parse] and [FromMap] make the model, and [Validate] says which rules it
// breaks. The methods of [Schema] read its keywords, and [Visit] goes through
// its nodes.
//
// # Terms
//
//   - structural schema: an OpenAPI v3 schema that specifies every field
//     exactly once outside of junctors, e.g. {"type": "object", "properties":
//     {"replicas": {"type": "integer"}}}.
//   - junctor: allOf, anyOf, oneOf or not.
//   - spine: the nodes that are reached from the root through properties, items
//     and additionalProperties without crossing a junctor, e.g.
//     properties[spec].properties[replicas].
//   - nested: at or below a junctor, e.g. anyOf[0].properties[spec]. A nested
//     node only restricts values.
//   - embedded resource: an object with its own apiVersion, kind and metadata,
//     e.g. `spec.template`, marked with x-kubernetes-embedded-resource.
//   - list-map keys: the properties that identify an item of a list of type
//     map, e.g. port and protocol.
//
// # Specification
//
// Rules STR-001 to STR-140;
// https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#specifying-a-structural-schema.
//
// # Deviations
//
// The model keeps a nested additionalProperties, which the server's own model
// loses. The rules treat it as the server does.
package structural
