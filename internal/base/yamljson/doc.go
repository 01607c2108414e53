// Package yamljson reads YAML as the API server does: with its YAML library,
// and by way of JSON. For example, `a: 1.0` is the object {"a":1} and `1: a` is
// the object {"1":"a"}.
//
// # Specification
//
// YAML is YAML 1.1 (PIPE-005). Keys of a mapping become strings.
package yamljson
