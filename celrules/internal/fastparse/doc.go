// Package fastparse parses CEL expressions of the shape that most rules have:
// ASCII text of operators, names, calls, macros and plain literals, e.g.
// `self.replicas <= self.maxReplicas && self.names.all(n, n.size() < 64)`.
//
// Any other text, e.g. `r'\d+'` or `a // comment`, and every text with a syntax
// error is left to cel-go's parser. That parser knows the whole language and
// takes ten times as long.
//
// The result is the one of cel-go, down to the ids of expressions and their
// offsets in the text: run-time costs and error messages depend on both.
//
// # Terms
//
//   - to leave: to return no expression, so that the caller asks cel-go's
//     parser.
//   - height: how deep cel-go's parser recurses for an expression. High
//     expressions are left to cel-go, which has limits for them (CEL-012).
//   - part: an expression with an id, e.g. `a`, `1` and `a + 1` of `a + 1`.
//
// # Specification
//
// Rules CEL-012 and LIB-101, and the grammar of CEL:
// https://github.com/google/cel-spec/blob/master/doc/langdef.md#syntax.
package fastparse
