// Package output prints the results of commands that judge documents: as text
// for people, as JSON or YAML, and in the formats of code scanners (SARIF),
// test runners (JUnit) and GitHub.
//
// Package verdict has the results.
//
// The file schema.json describes the JSON output. Members that are empty are
// left out.
package output
