// Package celcases is the common ground of two runs of the same CEL expressions, one through the real environment of an API server and
// one through this library's: the variables that the expressions use, the sizes that they may have, and the outcome as text.
//
// # Terms
//
// A case is an expression, the environment it is for, and its outcome: what compiling, estimating and evaluating it gave.
//
// # Specification
//
// Rules CEL-001 … CEL-013, LIB-001 … LIB-101 and COST-010 … COST-023, COST-100 … COST-112, as cases show them.
//
// # Deviations
//
// None.
package celcases
