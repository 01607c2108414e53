// Package builtin knows the structure of the kinds that are built into
// Kubernetes, e.g. Deployment, in each supported minor, and validates objects
// by it.
//
//	kind, err := builtin.Find(manifest.TypeOf(object), "1.33") // err: *NotServedError
//	...
//	result := kind.Validate(ctx, object)
//	result.Unknown // e.g. spec.template.spec.containers[0].imagePullPolcy
//	result.Errors  // e.g. spec.replicas: ... must be of type integer: "string"
//
// # Terms
//
//   - structure: what Kubernetes publishes of a kind as OpenAPI: its fields
//     with their types, formats, enums and defaults, and which are required.
//   - record: the structures of all kinds in all minors, without descriptions.
//     It is part of this package. Program conformance/oracle/openapi makes it
//     from the releases of Kubernetes that it names.
//
// # What is checked
//
// Unknown fields, types, required fields, enums and formats are checked by the
// packages that validate custom resources, with a structural schema made of the
// published one. Added are the common rules that the published schema does not
// have: names, labels and annotations, quantities, times, and that the selector
// of a workload matches the labels of its template. Of the rules of single
// kinds those are there that manifests break most often: a Job names its
// restartPolicy, a Service has ports, a mount has its volume, requests are
// within limits.
//
// An API server validates much more, by code of its own for each kind: e.g.
// that a port is in its range. An object without findings may therefore
// still be refused. The reverse is meant to be rare: what this package calls an
// error, a server refuses. Program conformance/oracle/kubernetes compares both.
//
// # Deviations
//
// Where a server decodes into Go types, values that the published schema does
// not allow are read here likewise: null stands for an absent field, and so
// does an empty string where a field is required or has an enum without it.
// Errors of values are worded as those of custom resources; a server's decoder
// stops at the first value of a wrong type. The rules of kinds are checked if
// all values of the spec have the right types. Required fields, enums and
// duplicates in the status are not looked for, because a server drops the
// status of a new object. A model that holds itself, e.g. the groups of a
// Workload, is followed once.
package builtin
