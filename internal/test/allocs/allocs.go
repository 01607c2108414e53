package allocs

import "testing"

// rounds is the number of measurements of an operation that seems to allocate.
// The garbage collector may empty a pool in between.
const rounds = 20

// Of returns the number of allocations of one run of an operation, to compare
// with another. Allocations of the first run do not count.
func Of(run func()) float64 {
	run()
	return testing.AllocsPerRun(20, run)
}

// AtMost reports an error if one run of an operation allocates more often than
// allowed. Allocations of the first run do not count.
func AtMost(t testing.TB, most float64, name string, run func()) {
	t.Helper()
	run()
	if Detecting {
		for range rounds {
			run()
		}
		return
	}
	if n := measureMin(run, most); n > most {
		t.Errorf("%s: %v allocations, want at most %v", name, n, most)
	}
}

// measureMin measures until an operation allocates no more than enough times.
func measureMin(run func(), enough float64) float64 {
	n := testing.AllocsPerRun(20, run)
	for try := 1; n > enough && try < rounds; try++ {
		n = min(n, testing.AllocsPerRun(20, run))
	}
	return n
}
