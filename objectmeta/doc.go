// Package objectmeta coerces the metadata of embedded resources: it reads each
// metadata as the server's ObjectMeta and writes it back.
//
// An embedded resource is an object inside a custom resource with an
// apiVersion, a kind and a metadata of its own, e.g. `spec.template` in a
// schema that marks the field with x-kubernetes-embedded-resource. Its metadata
// {"name": "n", "labels": {}, "note": "m"} becomes {"name": "n"}.
//
// It is for programs that do the steps of a server one by one: [Coerce] is what
// happens to the body of a request, [Repair] to an object from storage.
//
// # Specification
//
// Rules META-004 to META-011;
// https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#rawextension.
//
// # Deviations
//
// If several embedded resources are malformed, [Coerce] reports the one with
// the first path; the server reports any one of them.
package objectmeta
