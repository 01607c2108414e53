// Package specsite writes the specification as pages of the site: a page for
// each chapter, with the anchors of the rules, and with examples that run in
// the page.
//
// # Terms
//
//   - chapter: a file of folder spec, e.g. pruning.md.
//   - example: a request of a conformance vector that a rule shows.
package specsite
