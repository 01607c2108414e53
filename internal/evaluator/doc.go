// Package eval answers the evaluation protocol with this library: one file per group of operations, each a thin
// translation between the protocol's types and the package that knows the answer.
//
// # Specification
//
// The protocol is that of package protocol (conformance/protocol).
//
// # Deviations
//
// None.
package evaluator
