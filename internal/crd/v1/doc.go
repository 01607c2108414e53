// Package v1 holds the types into which the API server decodes the version v1 of the API group apiextensions.k8s.io. They
// exist for what only a decoder over these very types can tell: its error texts, which name them, and what duplicate keys
// add up to. Everything else uses the parent package, whose fast path does without them.
//
// # Specification
//
// Rules STR-002 to STR-007 and the reference of CustomResourceDefinition v1:
// https://kubernetes.io/docs/reference/kubernetes-api/extend-resources/custom-resource-definition-v1/.
package v1
