// Package rules shows a table of tests for the validation rules of a
// CustomResourceDefinition. Copy rules_test.go, name your own definition, and
// write a line for every rule that passes and that fails:
//
//	go test ./examples/rules
//
// # Terms
//
//   - case: an object in YAML, the stored object for an update, and the error
//     that the server reports.
//
// # Specification
//
// https://kubernetes.io/docs/reference/using-api/cel/.
package rules
