// Package evaluator answers the evaluation protocol with this library. There is
// one file for each group of operations, e.g. object.go for prune, default,
// validate and cel. Each operation is a thin translation between the types of
// [github.com/crdsem/crdsem/internal/app/protocol] and the package that knows
// the answer.
//
// # Specification
//
// The protocol is that of internal/app/protocol.
package evaluator
