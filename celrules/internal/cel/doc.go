// Package cel holds the values of the Kubernetes libraries' CEL types.
//
// The package and its types have the names that they have in the API server, for these names show: an index of an unsupported type is
// reported as `invalid qualifier type: cel.Quantity`.
//
// # Terms
//
// A value is what a rule handles at run time; a type is what it is declared with.
//
// # Specification
//
// Rules LIB-007, LIB-008, LIB-032, LIB-044, LIB-051, LIB-060, LIB-072 and COST-112.
//
// # Deviations
//
// None.
package cel
