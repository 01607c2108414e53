// Package merge says what the list and map types of a CRD mean when objects meet: how two objects differ, what their merge is, who owns which field, and
// what server-side apply makes of it, conflicts included.
//
// [Compile] turns a structural schema into a [Type], which compares and merges objects: list items are addressed by their keys, sets are without
// order, atomic lists and maps are one value. A [FieldManager] is a CRD's versions together; it applies and updates objects as the API server's field manager
// does, and keeps metadata.managedFields.
//
// # Terms
//
// A field path addresses a field or an item: .spec.ports[name="http"].port, .spec.tags[="a"]; an item that omits some of its keys is addressed by those that
// it has, or that have defaults. A field set is a set of field paths. A manager is who
// owns fields: a name, an operation (Apply or Update), for an update the apiVersion, and the subresource. A conflict is a field that one manager applies
// and another owns, with another value. The live object is the one in the server; the applied one is what a manager wants of it.
//
// # Specification
//
// https://kubernetes.io/docs/reference/using-api/server-side-apply/, and the schemas that the API server publishes for a CRD (CRD-501).
//
// # Deviations
//
// Problems with an object's types are told all at once, sorted by path, where the server may tell some, in any order. Conflicts are sorted by manager. Of the
// versions of managers that an object does not fit the first is told, where the server tells any.
package merge
