// Package openapi turns structural schemas into OpenAPI schemas of kube-openapi and back, and makes the schemas that an API server
// publishes of custom resources.
//
// # Terms
//
//   - spec schema: the type Schema of k8s.io/kube-openapi/pkg/validation/spec, which holds schemas of both OpenAPI versions.
//   - publishing: what a server serves at /openapi/v3, where a schema is complete, and at /openapi/v2, where what clients of that
//     version cannot read is left out.
//
// # Specification
//
// Rules STR-130 to STR-133 and CRD-500 to CRD-505;
// https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#publish-validation-schema-in-openapi.
//
// # Deviations
//
// [ToSpec] keeps the additionalProperties of nested nodes, which the server's own conversion loses. Lists of list-map keys and
// of rules that are empty are left out, as the server does.
package openapi
