package parallel_test

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/crdsem/crdsem/internal/kit/parallel"
)

// Results come in the order of the jobs, and a reader may stop.
func TestInOrder(t *testing.T) {
	jobs := func(yield func(int) bool) {
		for i := range 100 {
			if !yield(i) {
				return
			}
		}
	}
	next := 0
	for n := range parallel.InOrder(jobs, func(i int) int { return i * i }) {
		if n != next*next {
			t.Fatalf("%d after %d jobs", n, next)
		}
		if next++; next == 50 {
			break
		}
	}
	if next != 50 {
		t.Errorf("%d results", next)
	}
}

// No goroutine is left, whether the results are read or not.
func TestInOrderEnds(t *testing.T) {
	for name, most := range map[string]int{"all results": 1000, "some": 3} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				read := 0
				jobs := slices.Values(make([]int, 100))
				for range parallel.InOrder(jobs, func(i int) int { return i }) {
					if read++; read == most {
						break
					}
				}
				if want := min(most, 100); read != want {
					t.Errorf("%d results, want %d", read, want)
				}
			})
		})
	}
}

// Two jobs run at a time, each of which waits for the other one.
func TestConcurrency(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	for name, run := range map[string]func(wait func(int)) error{
		"InOrder": func(wait func(int)) error {
			for range parallel.InOrder(slices.Values([]int{0, 1}), func(i int) int {
				wait(i)
				return i
			}) {
			}
			return nil
		},
		"Each": func(wait func(int)) error {
			return parallel.Each(context.Background(), 2, wait)
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				meeting := make(chan int)
				if err := run(func(i int) {
					if i == 0 {
						meeting <- i
					} else {
						<-meeting
					}
				}); err != nil {
					t.Error(err)
				}
			})
		})
		if n := runtime.GOMAXPROCS(0); n != 2 {
			t.Errorf("%s set GOMAXPROCS to %d", name, n)
		}
	}
}

// Each calls the function once for each number, until the context ends.
func TestEach(t *testing.T) {
	var calls [100]atomic.Int32
	err := parallel.Each(t.Context(), len(calls), func(i int) { calls[i].Add(1) })
	for i := range calls {
		if n := calls[i].Load(); n != 1 {
			t.Errorf("%d: %d calls", i, n)
		}
	}
	if err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var done atomic.Int32
	err = parallel.Each(ctx, 1<<30, func(int) {
		done.Add(1)
		cancel()
	})
	if !errors.Is(err, context.Canceled) || done.Load() > 1000 {
		t.Errorf("%d calls, then %v", done.Load(), err)
	}
}
