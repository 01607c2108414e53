// Package apply is server-side apply for package crdsem. It gives
// [crdsem.Version.Apply] the field manager of package merge:
//
//	def, err := crdsem.Parse(crdYAML, apply.Server())
//	v, err := def.Version("v1")
//	res := v.Apply(ctx, config, stored, crdsem.FieldManager("gitops"))
//
// It is a package of its own so that programs that do not apply do not link
// the merge library and what it imports.
//
// # Terms
//
//   - live object: the stored object, read in the version of the request.
//   - applied configuration: the fields that a manager wants, e.g. an object
//     with apiVersion, kind, metadata.name and spec.replicas.
//   - conflict: a field that the configuration sets and that another manager
//     owns with another value.
//
// # Specification
//
// Rule PIPE-019;
// https://kubernetes.io/docs/reference/using-api/server-side-apply/.
//
// # Deviations
//
// Those of package merge. The entries of metadata.managedFields have no time
// unless [WithTime] gives one.
package apply
