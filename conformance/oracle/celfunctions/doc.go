// Package celfunctions compares this library's CEL environment with the API
// server's: the declarations, and the outcomes of thousands of generated
// expressions in both. Compared are compile errors, types, estimates, values,
// errors and costs.
//
// # Terms
//
// A case is an expression with its outcome in the real environment (see
// internal/test/celcases), e.g. size(words) with the value 4.
//
// # Specification
//
// Rules CEL-001 … CEL-013, LIB-001 … LIB-101, COST-010 … COST-023, COST-100 …
// COST-112.
package celfunctions
