// Package lint finds likely mistakes in a definition that a server accepts:
// patterns that match nothing, enum values that no object can
// have, lists without a list type, unbounded lists below rules, keys that YAML
// reads as booleans.
//
// It is conservative: an unusual definition that means what it says has no
// finding.
//
// # Terms
//
//   - check: one kind of finding, e.g. LINT-pattern.
//
// # Specification
//
// None: a server accepts all of this. docs/lint.md describes the checks.
package lint
