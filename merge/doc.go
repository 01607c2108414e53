// Package merge compares and merges objects by the list and map types of a CRD,
// and does server-side apply: it tracks which manager owns which field.
//
// [Compile] makes a [Type] from a structural schema. A Type compares and merges
// objects: list items are addressed by their keys, sets have no order, and
// atomic lists and maps are one value. A [FieldManager] holds the versions of a
// kind. It applies and updates objects as the field manager of the API server
// does, and keeps metadata.managedFields.
//
// # Terms
//
//   - field path: addresses a field or an item, e.g.
//     .spec.ports[name="http"].port or .spec.tags[="a"]. An item that omits
//     some of its keys is addressed by the keys that it has, or that have
//     defaults; until 1.33 it is an error.
//   - field set: a set of field paths.
//   - manager: an owner of fields. It has a name, e.g. kubectl, an operation
//     (Apply or Update), and the subresource that it writes. With the operation
//     Update it also has an apiVersion.
//   - conflict: a field that one manager applies with another value than its
//     owner gave it.
//   - live object: the object in the server.
//   - applied object: the fields that a manager wants, with their values.
//
// # Specification
//
// https://kubernetes.io/docs/reference/using-api/server-side-apply/, and the
// schemas that the API server publishes for a CRD (CRD-501).
//
// # Bounds
//
// [FieldManager.Apply] and [FieldManager.Update] end with their context. The
// methods of Type cannot be stopped. All take time in proportion to the objects
// and to their managers, and to the square of the length of sets and list-maps
// whose items are in no order: seconds for 100,000 items. The server takes as
// long, because the code is its structured-merge-diff.
//
// # Deviations
//
//   - All problems of an object with its type are reported, sorted by path. The
//     server may report some, in any order.
//   - Conflicts are sorted by manager.
//   - If an object does not fit the versions of several managers, the error is
//     about the first version. The server reports any.
//   - A field that is no longer applied is removed in every version that has a
//     manager. If that fails in some order of the versions, the request fails.
//     The server takes one order at random.
package merge
