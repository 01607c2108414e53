// Package parallel runs independent jobs on all processors.
package parallel

import (
	"iter"
	"runtime"
)

// InOrder does work on the jobs of a sequence, several at a time, and yields
// the results in the order of the jobs. It holds a bounded number of jobs.
func InOrder[J, R any](jobs iter.Seq[J], work func(J) R) iter.Seq[R] {
	return func(yield func(R) bool) {
		workers := runtime.GOMAXPROCS(0)
		type slot struct {
			job J
			out chan R
		}
		todo := make(chan slot)
		queue := make(chan slot, 4*workers)
		stop := make(chan struct{})
		defer close(stop)
		for range workers {
			go func() {
				for s := range todo {
					s.out <- work(s.job)
				}
			}()
		}
		go func() {
			defer close(queue)
			defer close(todo)
			for job := range jobs {
				s := slot{job, make(chan R, 1)}
				for _, to := range []chan slot{queue, todo} {
					select {
					case to <- s:
					case <-stop:
						return
					}
				}
			}
		}()
		for s := range queue {
			if !yield(<-s.out) {
				return
			}
		}
	}
}
