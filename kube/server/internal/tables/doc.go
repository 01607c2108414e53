// Package tables makes the rows of built-in kinds in the server's tables, e.g.
// what kubectl prints of pods.
//
// # Terms
//
//   - printer: the columns of a kind, and how the cells of a row are made.
//
// # Specification
//
// Columns and cells are those of pkg/printers/internalversion in
// k8s.io/kubernetes. conformance/oracle/printers records what it prints of the
// objects in testdata.
//
// # Deviations
//
// A HorizontalPodAutoscaler of v1 is shown as its fields are, not converted to
// v2. Some kinds that few people list have the columns of kinds without any of
// their own: the test of columns names them.
package tables
