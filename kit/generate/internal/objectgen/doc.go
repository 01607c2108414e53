// Package objectgen makes the values of one schema, for package generate.
//
// A [Maker] makes a value for a [Node], and changes values. [NewPlaces] lists
// where the keywords of a schema are, and [Sites] lists where a value can be
// made to break one of them.
//
// # Terms
//
//   - node: a place of a schema and what is asked of the values there, such as
//     the node of spec.replicas.
//   - node path: the steps from the root of a schema to a node, e.g. ".spec",
//     ".ports", "[]" for the items of spec.ports.
//   - site: a value of an object where a keyword can be broken, e.g. the value
//     "a" at spec.ports[0].name, whose minLength is 1.
//   - hints: the names, strings, numbers and patterns that a rule or a junctor
//     mentions. A value that is changed along hints comes to keep or break the
//     rule sooner.
//
// Everything is determined by the random source: the same source in the same
// state makes the same values. Maps are walked in the order of their keys.
package objectgen
