// Package library is the catalogue of the functions that rules of CustomResourceDefinitions (x-kubernetes-validations) can call beyond
// CEL's standard library: what each takes and returns, since which Kubernetes version, and what a call costs. The environment that
// compiles rules is built from this catalogue, so it cannot lag behind.
//
// # Terms
//
// A library is a named set of functions that the API server's environment has from one Kubernetes version on. A function has one or
// more overloads. The cost of a call has two sides: the estimate, from the sizes that a schema allows, decides whether a
// CustomResourceDefinition is accepted; the run-time cost, from the sizes of the actual values, is taken from an object's budget. New
// expressions are those that a request writes, stored expressions those that storage already holds.
//
// # Specification
//
// Rules CEL-001 … CEL-006 say which environment has which library, LIB-001 … LIB-101 describe the functions, COST-100 … COST-112 their
// costs. Kubernetes documents them at https://kubernetes.io/docs/reference/using-api/cel/.
//
// # Deviations
//
// None: a test compares names, overloads, results, errors and costs with the API server's own environment.
package library
