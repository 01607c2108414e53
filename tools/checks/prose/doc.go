// Package prose holds the repository's text to its style: the width of
// lines. It has tests only.
//
// # Terms
//
//   - table: the elements of a list or map literal, e.g. the cases of a test.
//     Tables and raw strings may be of any width.
package prose
