// Package objectmeta coerces the metadata of embedded resources: it reads each
// metadata as the server's ObjectMeta and writes it back.
//
// An embedded resource is an object inside a custom resource with an
// apiVersion, a kind and a metadata of its own, e.g. `spec.template` in a
// schema that marks the field with x-kubernetes-embedded-resource. Its metadata
// {"name": "n", "labels": {}, "note": "m"} becomes {"name": "n"}.
//
// The code is in file metadata.go of internal/belowfacade/normalize, which
// finds the resources in the walk that also prunes and defaults, and in file
// coerce.go of internal/belowstructural/metadata, which coerces one metadata.
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
