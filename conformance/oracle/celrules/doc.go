// Package celrules contains tests and benchmarks that compare the module's
// package celrules with the real code. The input is every rule of a corpus of
// real CRDs, every object of it with mutations, and generated schemas, rules
// and objects.
//
// # Terms
//
//   - case: a schema with rules, an object and, for an update, the old object.
//   - mutation: an object with one value changed, removed, doubled or moved at
//     random, from a seed, e.g. spec.replicas set to a string.
//
// # Specification
//
// The real code is k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel and
// its dependencies.
//
// # Deviations
//
// Errors and warnings are compared as sets. The real code iterates over maps in
// random order; if its answer differs from run to run, ours must be one of its
// answers.
package celrules
