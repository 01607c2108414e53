// Package minors lists the minor versions of Kubernetes whose API servers this
// module knows, and what changed from one to the next.
//
// The option Kubernetes of each package takes a [Minor], e.g.
//
//	def, err := crdsem.Parse(crdYAML, crdsem.Kubernetes("1.33"))
//
// [Parse] checks a minor that a user typed.
//
// [Changes] lists what changed, with the rules of the specification.
//
// # Terms
//
//   - minor: a minor version of Kubernetes, e.g. 1.33. It behaves like its last
//     patch, with the gates that are on by default.
//   - change: one difference between a minor and the one before it.
//
// # Specification
//
// Chapter minors.
package minors
