// Package output prints what the verbs of the command say: as text for people,
// as JSON or YAML, as the comment of a pull request (Markdown), and in the
// formats of code scanners (SARIF), test runners (JUnit) and GitHub.
//
// # Terms
//
//   - item: one thing that a verb says, e.g. of a document or a test case.
//   - member: what follows the items, e.g. the summary.
//
// A verb describes its items once ([Item]), and each format takes the part of
// the description that it prints. A new format is an entry of the table in
// printer.go, and a Printer.
//
// The file schema.json describes the JSON output of the verbs that judge
// documents, whose items are those of [Documents]. Members that are empty are
// left out.
package output
