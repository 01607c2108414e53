// Package celcases provides what two runs of the same CEL expressions share.
// One run goes through the real environment of an API server, the other through
// this library's. Both use the same variables, e.g. labels, and the same sizes
// of them, and write their outcomes as text.
//
// # Terms
//
// A case is an expression, its environment and its outcome: the results of
// compiling, estimating and evaluating it.
//
// # Specification
//
// Cases show the rules CEL-001 … CEL-013, LIB-001 … LIB-101, COST-010 …
// COST-023 and COST-100 … COST-112.
package celcases
