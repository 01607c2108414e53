// Package cel defines the CEL types of the Kubernetes libraries and their
// values, e.g. Quantity, the value of `quantity('1Gi')`.
//
// The package and its types keep the names that they have in the API server,
// because error messages show them (%T): an index of an unsupported type is
// reported as `invalid qualifier type: cel.Quantity`. Do not rename them.
//
// # Terms
//
//   - value: what an expression computes with when it runs, e.g. [Quantity].
//   - type: the declared type of a value, e.g. [QuantityType].
//
// # Specification
//
// Rules LIB-007, LIB-008, LIB-032, LIB-044, LIB-051, LIB-060, LIB-072 and
// COST-112.
package cel
