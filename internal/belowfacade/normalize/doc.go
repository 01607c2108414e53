// Package normalize gives an object the shape that its structural schema
// specifies. Unknown fields and meaningless nulls are removed, the metadata of
// embedded resources is read and written back, and defaults are filled in. All
// of it is done in one walk over the object (walk.go). Packages prune and
// defaulting are its public faces, one step each.
//
// # Terms
//
//   - step: one thing that a walk can do, e.g. Prune. A walk does any set of
//     steps. The result is that of doing them one after the other in the
//     server's order: prune, drop nulls, coerce metadata, default.
//   - change: one thing that was done, where, and the schema node that caused
//     it, e.g. Pruned at spec.foo by openAPIV3Schema.properties[spec].
//   - duty: what a walk does at a place and below it.
//   - strip: pruning below a missing schema; every map is emptied.
//   - skip: pruning inside a list that preserves unknown fields; unknown fields
//     of its items stay.
//
// # Specification
//
// Rules PRN-001 to PRN-031, DEF-001 to DEF-036, META-004 to META-011, PIPE-010.
//
// # Deviations
//
// Of several malformed embedded resources the server reports any one. This
// package reports the one whose path is first: keys in byte order, items by
// index.
package normalize
