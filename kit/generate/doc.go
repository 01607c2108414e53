// Package generate makes custom resources that the server admits, and custom
// resources that it rejects for a known reason.
//
// [NewResources] takes a definition. [Resources.Valid] makes an object that is
// admitted as it is, rules included; [Resources.Broken] one with a keyword
// broken, e.g. minLength at spec.name. Package crdsem plays the server, so
// nothing is called.
//
// An object is made from the schema, and the server's verdict is asked for. A
// rejected object is repaired at the paths of its errors and judged again. A
// failed rule is inverted where it can be: `self.startsWith("a-")` puts a
// prefix before a string, and `self.max > self.min` gives a greater max. The
// rules next to it are kept. Where a rule cannot be inverted, the values that
// it mentions are tried. The effort is bounded. If nothing is found, an
// [UnmadeError] says why the nearest object was rejected. There may be no such
// object, e.g. if minimum is greater than maximum.
//
// An object has at most 16,384 values and 3 MiB, the largest request that a
// server takes. If it would need more, the UnmadeError says so. Searches end
// with the context that [Resources.Within] is given.
//
// # Random sources
//
// A source of objects is a [math/rand/v2.Rand]: [NewRand] has a fixed seed, and
// [FromBytes] lets the bytes of a fuzz target decide the choices one by one. A
// fuzzer that changes or removes a byte then changes or simplifies the object.
// The same source in the same state makes the same objects. [Shrink] makes an
// object that a target found small: it asks the same question about ever
// smaller values.
//
// # From a schema alone
//
// [Object], [Boundary], [Wild], [Broken] and [Update] follow a schema as far as
// that can be done by construction: quickly, and without asking whether the
// server admits the result. [Schema] and [Definition] make documents from
// nothing, some of which the server rejects on purpose: input for differential
// tests and fuzzing.
//
// # Terms
//
//   - resource: an object with apiVersion, kind and a name.
//   - valid object: an object that the server admits as it is, nothing pruned.
//   - boundary object: a valid object whose numbers, lengths and counts are at
//     the limits of the schema, e.g. a string of ten letters for maxLength 10.
//   - broken object: an object that the server rejects. A [Breakage] says where
//     and for which keyword.
//   - wild object: an object that may have any value anywhere.
//   - update: a new state of an object, made by a few changes.
//   - mutation: a change of any JSON value that needs no schema.
//   - flaw: a part of a schema or definition that the API server rejects.
//
// # Specification
//
// Package crdsem decides what is valid (PIPE-010 to PIPE-018, PIPE-030). The
// generated values follow no distribution that callers may rely on. The
// keywords are those of the structural schemas of Kubernetes 1.37 (STR-001 and
// on).
package generate
