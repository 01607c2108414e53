// Package pattern matches strings against the regular expressions of schemas. It answers as Go's regexp does, many times faster for the
// usual patterns: those become a table of states with one look-up for each byte.
//
// # Terms
//
//   - match: the pattern is found anywhere in the string.
//   - automaton: the table of states. It knows ASCII; a string with any other character is left to Go's regexp, and so are patterns with
//     word boundaries, with line anchors, or with too many states.
//
// # Specification
//
// Rules VAL-042 and VAL-043; https://github.com/google/re2/wiki/Syntax.
package regexmatch
