// Package allocs counts the allocations of an operation in tests, e.g. that
// validating a valid object makes none. The race detector takes from pools at
// random and keeps the compiler from saving allocations. Under it the operation
// is run, but its allocations are not checked
// (https://go.dev/doc/articles/race_detector).
package allocs
