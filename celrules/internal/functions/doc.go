// Package functions implements the functions of the Kubernetes CEL libraries,
// e.g. `quantity('1Gi')`, `ip('10.0.0.1')` or `[1, 2].sum()`.
//
// Package library lists the functions with their types and costs, package cel
// of this directory has their values, and package environment declares them to
// cel-go. The functions that come with cel-go, e.g. `charAt`, are not here.
//
// # Terms
//
//   - overload: one signature of a function, e.g. `string_to_quantity` of the
//     function `quantity`.
//   - binding: the Go function that an overload runs.
//   - optimization: the replacement of a call by a faster one when a program is
//     planned, e.g. of `self.find('[a-z]+')` by one with the regular expression
//     compiled.
//
// # Specification
//
// Rules LIB-006 to LIB-073;
// https://kubernetes.io/docs/reference/using-api/cel/#kubernetes-cel-libraries.
package functions
