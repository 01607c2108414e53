// Package correlate matches the values of an updated object with the values of
// the old object: the fields of objects by name, the items of list-maps by key.
// Ratcheting and transition rules depend on it.
//
// # Terms
//
//   - correlated: a new value that has a value in the old object. A field of an
//     object that has a schema is correlated with the old field of the same
//     name, e.g. `spec.replicas` with the old `spec.replicas`. An item of a
//     list-map is correlated with the first old item of the same keys, its
//     partner. Items of atomic lists and of sets, and everything below them,
//     are not correlated.
//   - list-map: a list with x-kubernetes-list-type map, e.g. `spec.ports` with
//     the keys port and protocol.
//
// # Specification
//
// Rules RAT-010 to RAT-015 (which values correlate) and RAT-030 to RAT-033
// (which values are equal).
package correlate
