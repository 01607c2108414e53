// Package differential compares two handlers of the evaluation protocol, the real
// code and this library, on generated requests and on those made of real
// definitions.
//
// # Terms
//
//   - case: one request, as the JSON values of its inputs ([Case]).
//   - source: what makes the cases of an op from a seed ([Source]).
//   - finding: a case on which the two differ, shrunk ([Finding]).
//
// # Specification
//
// Answers are compared as conformance/suite compares them. The real code's order, and
// at times its choice of errors, is random: a case differs only if none of several
// of its answers is ours. Where both answer by a fault they agree, and a case on
// which the real code panics is counted apart.
//
// # Deviations
//
// None.
package differential
