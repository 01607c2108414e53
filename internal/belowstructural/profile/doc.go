// Package profile says what the minor versions of Kubernetes do differently.
//
// The code of this module does what the newest minor does. A [Profile] has one
// field for each behavior that an older minor does not have, e.g.
// StatusRatcheting. A stage that is given a profile asks for the field where it
// would do the new thing:
//
//	if !p.StatusRatcheting {
//		// what Kubernetes did before 1.33
//	}
//
// [Changes] is the one list of everything that changed: which minor changed it,
// which rules of the specification it affects, and who made it. The profiles
// are built from this list.
//
// # Terms
//
//   - minor: a minor version of Kubernetes, e.g. 33 of 1.33. Its behavior is
//     that of its last patch, with the gates that are on by default.
//   - change: one difference between a minor and the one before it.
//   - switch: the field of a profile that a change turns on.
//
// # Specification
//
// Chapter minors.
package profile
