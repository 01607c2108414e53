// Package fuzz shows how the author of a CustomResourceDefinition fuzzes it and
// measures it. Copy fuzz_test.go, name your own definition and write the properties
// that your controller counts on:
//
//	go test ./examples/fuzz                                  the seeds, as in any test run
//	go test ./examples/fuzz -run '^$' -fuzz FuzzAdmission    for as long as you like
//	go test ./examples/fuzz -run '^$' -bench .               time of admission, cost of the rules
//
// # Terms
//
//   - property: what must hold of every object that the server would store.
//
// # Specification
//
// https://go.dev/doc/security/fuzz/; the steps of a request are those of package crdsem.
//
// # Deviations
//
// None.
package fuzz
