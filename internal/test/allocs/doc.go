// Package allocs counts in tests what an operation allocates. Under the race detector, which takes from pools at random and keeps the compiler from
// saving allocations, the operation is run but what it allocates is not judged.
//
// # Terms
//
// None.
//
// # Specification
//
// None; https://go.dev/doc/articles/race_detector.
//
// # Deviations
//
// None.
package allocs
