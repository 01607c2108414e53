// Package race tells tests whether they run with the race detector, which takes from pools at random and keeps the compiler from saving
// allocations: what a test counts of them then says nothing.
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
package race
