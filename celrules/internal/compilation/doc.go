// Package compilation compiles the expressions of x-kubernetes-validations and
// remembers them.
//
// Running rules (package celrules) and judging the rules of a definition
// (package celrules/check) need the same compiled expressions. A [Cache] holds
// them for both, so that each expression is compiled once.
//
// # Terms
//
//   - scope: what an expression is compiled against: the declarations of self
//     and oldSelf for one schema node, and an environment.
//   - rule: one entry of x-kubernetes-validations, e.g.
//     `self.min <= self.max`. Its rule and its messageExpression are compiled
//     apart.
//   - direct evaluation: evaluation by package fasteval instead of cel-go.
//
// # Specification
//
// Rules CEL-003, CEL-008 to CEL-014, CEL-074, COST-010.
package compilation
