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
// Package schemagen makes objects from a schema alone, faster and unchecked. It
// also has random sources: a [math/rand/v2.Rand] with a fixed seed or, in a
// fuzz target, one that the fuzzer's bytes determine. The same source in the
// same state makes the same objects.
//
// # Terms
//
//   - resource: an object with apiVersion, kind and a name.
//   - valid object: an object that the server admits as it is, nothing pruned.
//   - boundary object: a valid object whose numbers, lengths and counts are at
//     the limits of the schema, e.g. a string of ten letters for maxLength 10.
//   - broken object: an object that the server rejects. A [schemagen.Breakage]
//     says where and for which keyword.
//   - update: a new state of an object, made by a few changes.
//
// # Specification
//
// Package crdsem decides what is valid (PIPE-010 to PIPE-018, PIPE-030). The
// generated objects follow no distribution that callers may rely on.
package generate
