// Package columns renders the table that kubectl get shows for custom
// resources: the printer columns of a version and a cell of each object.
//
// # Terms
//
// A table has columns and rows. A row has a cell for each column. A column
// reads its cells by a JSONPath, e.g. .spec.replicas. Columns of a priority
// other than 0 are shown by kubectl get -o wide only.
//
// # Specification
//
// Chapter COL of the specification. The server is the table convertor of
// apiextensions-apiserver. A cell is a string, an int64, a float64, a bool or
// nil. No value makes the server fail: a cell that has no value of the column's
// type is nil.
//
// # Concurrency and costs
//
// [Columns] is immutable and safe for concurrent use. A table costs a walk of
// every path over every object.
//
// # Deviations
//
// A path with a wildcard or .. over a map has results in random order on the
// server, which shows the first one. This package shows the first one in the
// order of the names.
package columns
