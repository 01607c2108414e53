// Package syntax parses CEL expressions as rules mostly are: ASCII text of operators, names, calls, macros and plain literals. What it
// does not know, and all that is wrong, it leaves to cel-go's own parser, which takes ten times as long and knows everything.
//
// The result is the one that cel-go gives, down to the ids of expressions and their places in the text: costs and error texts go by
// them.
//
// # Terms
//
// Height is how deep cel-go's parser would recurse for an expression; high ones are left to it, for it has limits (CEL-012).
//
// # Specification
//
// The grammar of CEL (https://github.com/google/cel-spec/blob/master/doc/langdef.md#syntax) and rules CEL-012 and LIB-101.
//
// # Deviations
//
// An expression whose macros expand to too many parts is an error, where cel-go's parser and checker would take minutes or years. Else none:
// a fuzz test compares the parsers.
package fastparse
