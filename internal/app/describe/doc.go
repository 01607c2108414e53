// Package describe says for people what a definition says about its fields:
// types, defaults, bounds, list keys, enums, rules with their messages, what an
// update may change, and what is removed.
//
// [Find] leads from a path, e.g. spec.replicas, to a [Field]. [Text] writes it
// as `kubectl explain` does, and [Markdown] writes a whole version. [Type] and
// [Facts] are what hovering in an editor shows.
//
// # Terms
//
//   - fact: one thing that a schema says about a value, e.g. maximum: 10.
//   - path: the way to a field, e.g. spec.ports[].name. An item of a list is
//     [], a value of a map is *.
package describe
