// Package celfunctions compares this library's CEL environment with the API server's own: what it declares, and what thousands of
// generated expressions give in both: compile errors, types, estimates, values, errors, costs.
//
// # Terms
//
// A case is an expression with its outcome in the real environment (see internal/celcases).
//
// # Specification
//
// Rules CEL-001 … CEL-013, LIB-001 … LIB-101, COST-010 … COST-023, COST-100 … COST-112.
//
// # Deviations
//
// None.
package celfunctions
