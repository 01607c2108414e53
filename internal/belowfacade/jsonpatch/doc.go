// Package jsonpatch applies JSON patches (RFC 6902) and JSON merge patches (RFC
// 7386) as the API server does. Its results are those of
// gopkg.in/evanphx/json-patch.v4 with the server's settings, byte for byte. In
// places that library departs from the RFCs.
//
// What a patch does not touch stays as it is written: the spelling of numbers
// and strings, and duplicate members. Two values are therefore equal only if
// they are written alike; 1 and 1.0 differ. Duplicate members of a patch are
// still in the result, where a strict decoder reports them. An object that a
// path goes through is written again: its keys in byte order, each once.
//
// # Structure
//
//   - patch.go: the operations of a JSON patch.
//   - pointer.go: where a path leads, e.g. /spec/ports/0, and reading and
//     writing there.
//   - equal.go: the comparison of the operation test.
//   - merge.go: merge patches.
//   - node.go: JSON values; each is text until something goes through it.
//
// # Terms
//
//   - document: the JSON text that is patched.
//   - opened: an object or list is opened when something goes through it. From
//     then on its members count and its text does not.
//   - crash: the server's library panics at this patch.
//
// # Specification
//
// PIPE-019; https://www.rfc-editor.org/rfc/rfc6902,
// https://www.rfc-editor.org/rfc/rfc7386. The server's library departs from
// them:
//
//   - A replaced member need not exist.
//   - A negative index counts from the end.
//   - A path need not start with a slash.
//   - A copied null is an empty object to a test.
//   - An absent value is null.
//   - A merged list keeps its nulls if it replaces an object. Otherwise the
//     objects in it lose their null members.
//
// # Deviations
//
// Where the library panics, there is an error ([ErrCrash]). In the library, the
// order of a map decides whether a comparison panics or finds a difference
// first; here keys are compared in byte order. Errors have words of their own,
// because the server does not show the library's. Time and memory grow with the
// length of the texts, not with their depth.
package jsonpatch
