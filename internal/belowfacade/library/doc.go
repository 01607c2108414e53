// Package library is the catalogue of the functions that the CEL rules of a
// CustomResourceDefinition (x-kubernetes-validations) can call, beyond CEL's
// standard library. It lists what each function takes and returns, which
// Kubernetes version introduced it, and what a call costs.
//
// The environment that compiles rules is built from this catalogue, so that the
// two cannot differ. The functions are in functions.txt.
//
// # Terms
//
//   - library: a named set of functions, e.g. kubernetes.quantity, that the API
//     server's environment has since some Kubernetes version.
//   - overload: one signature of a function, e.g. <list(int)>.sum() -> int.
//   - estimate: the cost of a call as computed from the sizes that a schema
//     allows. It decides whether a CustomResourceDefinition is accepted.
//   - run-time cost: the cost of a call as computed from the sizes of actual
//     values. It is taken from the budget of the object.
//   - new and stored expressions: a new expression is written by a request; a
//     stored expression was accepted before.
//
// # Specification
//
// Rules CEL-001 to CEL-006 (which environment has which library), LIB-001 to
// LIB-101 (functions) and COST-100 to COST-112 (costs). Kubernetes documents
// the functions at https://kubernetes.io/docs/reference/using-api/cel/. A test
// compares names, overloads, results, errors and costs with the API server's
// own environment.
package library
