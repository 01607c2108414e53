// Package suite runs the conformance vectors against an implementation of the
// custom resource semantics: a handler in this process, or a program that
// speaks the evaluation protocol.
//
// # Terms
//
//   - vector: one request with the answer that the real code gives ([Vector]),
//     e.g. one that prunes an object.
//   - case: a test case that no request can express ([Case]).
//   - group: the vectors of one part of the specification, one file each
//     ([Vector.Group]), e.g. "cel".
//   - target: the implementation that is asked ([Target]).
//   - outcome: the result of running one vector ([Outcome]): passed, failed,
//     skipped (the target does not answer the op) or faulted (it answered with
//     a fault, or not at all). Skipped and faulted are neither right nor wrong.
//   - not yet: vectors that are known not to pass yet ([NotYet]).
//   - known difference: a vector on which the target differs on purpose, with
//     the reason ([KnownDifferences]).
//
// # Specification
//
// conformance/vectors/README.md describes the files and the comparison.
package suite
