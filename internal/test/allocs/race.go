//go:build race

package allocs

// Detecting is true under the race detector. It empties pools at random, so
// that what takes from them allocates again.
const Detecting = true
