// Package output prints the results of commands that judge documents: as text
// for people, as JSON or YAML, and in the formats of code scanners (SARIF),
// test runners (JUnit) and GitHub.
//
// # Terms
//
//   - result: the outcome for one document, e.g. an object that is refused.
//   - finding: one thing that is wrong or doubtful, with its place.
//   - summary: the numbers of results.
//
// The file schema.json describes the JSON output. Members that are empty are
// left out.
package output
