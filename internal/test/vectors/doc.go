// Package vectors gives the conformance vectors to Go tests.
//
// The vectors are files of JSON lines, for any language, in the folder
// conformance/vectors; README.md there describes them. This package finds that
// folder, so that a test needs no path:
//
//	for _, v := range vectors.Eval(t, protocol.OpPrune) {
//		object := ...
//		v.Check(t, protocol.Pruned{Object: object, UnknownFields: ...})
//	}
//
// # Terms
//
//   - vector: a request of the evaluation protocol and the answer wanted
//     ([Vector]).
//   - case: a test case of some kind that no request can express ([Case]), e.g.
//     a comparison of two version names.
//
// # Specification
//
// conformance/vectors/README.md.
//
// # Deviations
//
// Vectors on which the real code panics are left out.
package vectors
