// Package jsonpath evaluates the JSONPath dialect of Kubernetes' tables, e.g.
// {.status.conditions[?(@.type=="Ready")].status}.
//
// # Terms
//
// A template is text with actions in braces. An action is a list of steps, e.g.
// .spec and .replicas. A result is a JSON value that an action leads to.
//
// # Specification
//
// COL-012 to COL-019 of the specification. The server uses
// k8s.io/client-go/util/jsonpath with keys that may be missing. Three of its
// properties shape this package:
//
//   - A path keeps state between evaluations: {range} and {end} shorten the
//     template for later objects. An [Evaluator] holds that state.
//   - A step that fails still has results. The filter [?(@.a)] asks for
//     results, and does not look at the error.
//   - Some templates make the server panic. The evaluation returns a
//     [PanicError] there.
//
// # Deviations
//
// The server takes the members of a map in random order. This package takes
// them in the order of their names.
package jsonpath
