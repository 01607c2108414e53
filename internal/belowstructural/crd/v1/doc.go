// Package v1 defines the types into which the API server decodes the version v1
// of the API group apiextensions.k8s.io. The exact decoder of the parent
// package decodes into them. Only a decoder over these very types gives the
// server's error texts, which name them, e.g. "json: cannot unmarshal string
// into Go struct field
// JSONSchemaProps.spec.versions.schema.openAPIV3Schema.maxLength of type
// int64", and merges duplicate fields as the server does.
//
// # Specification
//
// Rules STR-002 to STR-007, and the reference of CustomResourceDefinition v1:
// https://kubernetes.io/docs/reference/kubernetes-api/extend-resources/custom-resource-definition-v1/.
package v1
