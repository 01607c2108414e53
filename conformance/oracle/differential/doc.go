// Package differential compares two handlers of the evaluation protocol, the
// real code and this library. The requests are generated or made from real
// definitions.
//
// # Terms
//
//   - case: one request, as the JSON values of its inputs ([Case]), e.g. a
//     schema and an object to prune.
//   - source: a function that makes the cases of an op from a seed ([Source]).
//   - table of functions: a call of each function and operator with each of the
//     values that package celfunctions has for its arguments ([Functions]).
//   - random rule: half of the rules of generated schemas call any functions
//     with values of that table, or are about self as a whole (enrich).
//   - finding: a case on which the two differ, shrunk ([Finding]).
//
// # Specification
//
// Answers are compared as in conformance/suite. The real code's order, and at
// times its choice of errors, is random. A case differs only if several answers
// of the real code all differ from ours. Two faults agree. A case on which the
// real code panics is counted separately.
package differential
