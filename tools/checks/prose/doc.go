// Package prose holds the repository's text to its style: the width of lines
// and the wording of comments and Markdown. It has tests only.
//
// # Terms
//
//   - table: the elements of a list or map literal, e.g. the cases of a test.
//     Tables and raw strings may be of any width.
//   - phrase: words that the style guide retires, with the words to write
//     instead, e.g. "reports whether" for "tells whether".
package prose
