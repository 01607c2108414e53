// Package jsonpatch applies JSON patches (RFC 6902) and JSON merge patches (RFC 7386) as the API server does: its verdicts and its bytes are those
// of gopkg.in/evanphx/json-patch.v4 as the server sets it up, which depart from the documents in places.
//
// What is not touched stays as it is written: the spelling of numbers and strings, and members that are written twice. So a value equals
// another only if both are written alike, 1 and 1.0 are not, and what a patch writes twice is still there to be told by a strict decoder. An
// object that is walked through is written again with its keys in byte order, each once.
//
// # Terms
//
//   - document: what is patched, JSON text.
//   - opened: said of an object or a list whose members count, no longer its text.
//   - crash: what a patch does to the server that makes it panic.
//
// # Specification
//
// PIPE-019; https://www.rfc-editor.org/rfc/rfc6902, https://www.rfc-editor.org/rfc/rfc7386. Departures of the server's library: a replaced member
// need not exist; an index may be negative and then counts from the end; a path need not start with a slash; a copied null is an empty object to
// a test; a value that is absent is null; a merged list keeps its nulls where it takes the place of an object, and loses those of its objects'
// members elsewhere.
//
// # Deviations
//
// Where the library panics an error says so ([ErrCrash]). Whether it meets the panic or finds a difference first depends there on the order of a map;
// here keys are compared in byte order. Reasons have words of their own, for the server does not tell the library's. Time and memory grow with the texts,
// not with their depth.
package jsonpatch
