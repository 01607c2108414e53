// Package controller shows how a controller is tested against an API server in
// memory that validates. Copy controller_test.go, and name your own definition,
// types and reconciler:
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
// https://book.kubebuilder.io/reference/envtest.html for envtest_test.go.
package controller
