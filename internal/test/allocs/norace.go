//go:build !race

package allocs

// detecting is true under the race detector.
const detecting = false
