// Package spec is the specification of what a Kubernetes API server does to
// custom resources: a book in Markdown, one chapter for each group of rules,
// every rule under its id.
//
// The book starts at README.md in this folder. The package gives the same text
// to programs, e.g. [Find]("PRN-003") for `crdsem explain PRN-003`.
//
// # Terms
//
//   - rule: one statement about the server's behaviour, e.g. PRN-003.
//   - chapter: the rules whose ids start with the same prefix, e.g. PRN.
//   - example: a request with the answer of the real code, taken from the
//     conformance vectors. Tests run every example.
package spec
