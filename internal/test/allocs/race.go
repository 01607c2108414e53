//go:build race

package allocs

// detecting tells that the race detector is on.
const detecting = true
