package allocs

import "testing"

// rounds is how often an operation is measured where it seems to allocate: the garbage collector may empty a pool meanwhile.
const rounds = 20

// Of returns how often one run of an operation allocates, to compare another with. What is made when it is first needed does not count.
func Of(run func()) float64 {
	run()
	return testing.AllocsPerRun(20, run)
}

// AtMost reports an error where one run of an operation allocates more often than it may. What is made when it is first needed does not count.
func AtMost(t testing.TB, most float64, name string, run func()) {
	t.Helper()
	run()
	if detecting {
		for range rounds {
			run()
		}
		return
	}
	if n := least(run, most); n > most {
		t.Errorf("%s: %v allocations, want at most %v", name, n, most)
	}
}

// least measures until an operation allocates as little as is enough.
func least(run func(), enough float64) float64 {
	n := testing.AllocsPerRun(20, run)
	for try := 1; n > enough && try < rounds; try++ {
		n = min(n, testing.AllocsPerRun(20, run))
	}
	return n
}
