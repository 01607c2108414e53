// Package crdtest shows how the author of a CustomResourceDefinition tests it.
// Copy pools.crdtest.yaml and crdtest_test.go, and name your own definition:
//
//	go test ./examples/crdtest             the cases of pools.crdtest.yaml, and a table
//	go test ./examples/crdtest -update     writes the outcomes into pools.crdtest.yaml
//	go test ./examples/crdtest -v -run Coverage
//
// The command does the same without Go:
//
//	crdsem test examples/crdtest --cover --mutate
//
// # Terms
//
// Those of package crdtest of the library.
//
// # Specification
//
// The page docs/testing.md.
package crdtest
