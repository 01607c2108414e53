// Package conformance is the conformance suite: vectors with the real code's
// answers, and the tools that run them.
//
// Where to look, from the data to the judge:
//
//   - vectors: the cases as files of JSON lines, for any language, e.g.
//     vectors/eval/prune.jsonl
//   - suite: vectors and answers as Go values; compares, counts and reports
//   - runner: a command that runs the vectors against any program
//   - ports: an example of a port to another language, judged by the runner
//   - oracle: the real Kubernetes code behind the protocol, a module of its own
//   - internal/app/protocol: the evaluation protocol, in which vectors are
//     asked
//   - internal/app/evaluator: this library behind the protocol
//
// # Specification
//
// vectors/README.md.
//
// # Deviations
//
// known_differences.yaml lists the vectors on which the library differs on
// purpose, with the reasons.
package conformance
