// Package vectors holds the conformance vectors and gives them to Go tests.
//
// The vectors are files of JSON lines, for any language; README.md describes them. This
// package links them into a test, which then needs no path:
//
//	for _, v := range vectors.Eval(t, protocol.OpPrune) {
//		object := ...
//		v.Check(t, protocol.Pruned{Object: object, UnknownFields: ...})
//	}
//
// # Terms
//
//   - vector: a request of the evaluation protocol and the answer wanted ([Vector]).
//   - case: what no request can show, of some kind ([Case]).
//
// # Specification
//
// README.md in this folder.
//
// # Deviations
//
// Vectors on which the real code panics are left out.
package vectors
