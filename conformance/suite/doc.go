// Package run runs the conformance vectors against an implementation of the
// custom resource semantics: a handler in this process or a program that speaks the
// evaluation protocol.
//
// # Terms
//
//   - vector: one request with the answer that the real code gives ([Vector]).
//   - group: the vectors of one part of the specification, one file each
//     ([Vector.Group]).
//   - target: the implementation that is asked ([Target]).
//   - outcome: what became of a vector ([Outcome]): passed, failed, skipped (the
//     target does not answer the op) or faulted (it answered by a fault, or not at
//     all). Skipped and faulted are neither right nor wrong.
//   - not yet: vectors that are known not to pass yet ([NotYet]).
//   - known difference: a vector that is meant to differ, with the reason
//     ([KnownDifferences]).
//
// # Specification
//
// conformance/vectors/README.md describes the files and what is compared.
//
// # Deviations
//
// None.
package suite
