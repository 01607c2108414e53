// Package fuzz shows how the author of a CustomResourceDefinition fuzzes it and
// measures it. Copy fuzz_test.go, name your own definition, and write the
// properties that your controller relies on:
//
//	go test ./examples/fuzz
//	go test ./examples/fuzz -run '^$' -fuzz FuzzAdmission
//	go test ./examples/fuzz -run '^$' -bench .
//
// The first runs the seeds, as in any test run. The second runs until you stop
// it. The third measures the time of admission and the cost of the rules.
//
// # Terms
//
//   - property: a statement about every object that the server would store,
//     e.g. "spec.replicas is set".
//
// # Specification
//
// https://go.dev/doc/security/fuzz/. The steps of a request are those of
// package crdsem.
package fuzz
