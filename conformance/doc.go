// Package conformance holds the conformance suite: vectors with the real code's
// answers, the protocol in which they are asked and the tools that run them.
//
//   - vectors: the cases, for any language
//   - protocol: the evaluation protocol
//   - run, runner: the vectors run against a handler or a program
//   - eval: this library behind the protocol
//   - oracle: the real code behind the protocol, a module of its own
//
// # Terms
//
// Those of [github.com/crdsem/crdsem/conformance/protocol] and
// [github.com/crdsem/crdsem/conformance/suite].
//
// # Specification
//
// vectors/README.md.
//
// # Deviations
//
// known_differences.yaml lists the vectors on which the library means to differ,
// with the reasons.
package conformance
