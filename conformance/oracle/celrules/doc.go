// Package celrules holds tests and benchmarks that compare the module's package of the same name with the real code: every rule of a
// corpus of real CRDs, every object of it with mutations, and generated schemas, rules and objects.
//
// # Terms
//
//   - case: a schema with rules, an object and, for an update, the object before it.
//   - mutation: an object with one value changed, removed, doubled or moved at random, from a seed.
//
// # Specification
//
// The real code is k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel and what it calls.
//
// # Deviations
//
// Errors and warnings are compared as sets. Where the real code's answer differs from run to run, for it goes over maps in random order, ours has to
// be one of its answers.
package celrules
