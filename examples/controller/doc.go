// Package controller shows how a controller is tested against an API server in
// memory that validates. Copy controller_test.go and replace the definition, the
// types and the reconciler by your own:
//
//	go test ./examples/controller
//
// The same test runs with envtest, see envtest_test.go.
//
// # Terms
//
//   - pool: the resource of examples/rules, with rules across fields and on
//     transitions.
//
// # Specification
//
// https://book.kubebuilder.io/reference/envtest.html for the test beside it.
package controller
