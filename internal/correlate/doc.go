// Package correlate matches the values of an updated object with the values that stood at the same place before: through
// objects by field, through lists of type map by key. Ratcheting and transition rules depend on it.
//
// # Terms
//
//   - correlated: a new value for which the old object has a partner. Every field of an object with a schema is correlated
//     with the field of the same name; an item of a list-map with the first old item of the same keys. Items of
//     atomic lists and of sets, and everything below them, are not correlated.
//   - list-map: a list with x-kubernetes-list-type map.
//
// # Specification
//
// Rules RAT-010 to RAT-015 (what correlates) and RAT-030 to RAT-033 (what counts as equal). The package imports no model of
// schemas: it is generic over the few questions of [Schema].
package correlate
