// Package openapi converts structural schemas to OpenAPI schemas of
// kube-openapi and back, and makes the schemas that an API server publishes for
// custom resources.
//
// # Terms
//
//   - spec schema: the type Schema of k8s.io/kube-openapi/pkg/validation/spec,
//     which holds schemas of both OpenAPI versions.
//   - publishing: a server serves schemas at /openapi/v3, where they are
//     complete, and at /openapi/v2, where keywords are removed that clients of
//     that version cannot read, e.g. anyOf.
//
// # Specification
//
// Rules STR-130 to STR-133 and CRD-500 to CRD-505;
// https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#publish-validation-schema-in-openapi.
//
// # Deviations
//
// [ToSpec] keeps the additionalProperties of nested nodes, which the server's
// own conversion loses. Like the server's, it drops empty lists of list-map
// keys and of rules.
package openapi
