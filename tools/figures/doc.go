// Command figures prints the style figures of this repository as a table: how
// long functions and files are, how complex, how wide, how well documented.
//
//	go run ./tools/figures [FOLDER]
//
// # Terms
//
//   - length: lines from the first to the last, comments and blank lines
//     included.
//   - cyclomatic number: one plus the branches of a function, e.g. 2 for a
//     function with one if. Function literals count as part of the function
//     around them.
//   - documented: an exported name with a comment of its own or of its group.
//
// Test files count in the rows on tests and wide lines only.
package main
