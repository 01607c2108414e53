// Package allocs measures what an operation allocates in tests, e.g. that
// validating a valid object allocates nothing, or that memory grows in
// proportion to the input. The race detector takes from pools at random and
// keeps the compiler from saving allocations. Under it the operation is run,
// but its allocations are not checked
// (https://go.dev/doc/articles/race_detector).
package allocs
