// Package normalize gives an object the shape that its structural schema
// specifies: unknown fields and meaningless nulls go, the metadata of embedded
// resources is read and written back, defaults come in. It does all of it in
// one walk over the object; packages prune and defaulting are its faces, one
// chapter each.
//
// # Terms
//
//   - step: one of the things that a walk can do; a walk does any set of them,
//     with the outcome of doing them one after the other in the server's order
//     (prune, drop nulls, coerce metadata, default).
//   - change: one thing that was done, where, and which schema node caused it.
//   - strip: what pruning does below a missing schema: every map is emptied.
//   - skip: what pruning does inside a list that preserves unknown fields:
//     unknown fields of its items stay.
//
// # Specification
//
// Rules PRN-001 to PRN-031, DEF-001 to DEF-036, META-004 to META-011, PIPE-010.
//
// # Deviations
//
// Where several embedded resources are malformed the server reports any one of
// them; this package reports the one whose path is first: keys in byte order,
// items by index.
package normalize
