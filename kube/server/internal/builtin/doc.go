// Package builtin knows the kinds that are part of Kubernetes, e.g. Deployment,
// how they are served, and how bodies and patches of their Go types are read.
//
// # Terms
//
//   - resource: a plural name under which objects of one kind are served in
//     some versions, e.g. deployments of the group apps.
//   - subresource: a part of a resource with a path of its own, e.g. status.
//
// # Deviations
//
// The resources are those of Kubernetes 1.37 with all its API groups on. What
// only older minors serve, e.g. v1beta3 of flowcontrol.apiserver.k8s.io, is
// absent.
//
// Nothing is defaulted or validated: a value only has to fit its field. Decode
// reads no CBOR.
package builtin
