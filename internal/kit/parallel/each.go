package parallel

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// Each calls a function for each number below n, on all processors. It returns
// the error of the context if that ends first.
func Each(ctx context.Context, n int, do func(i int)) error {
	var next atomic.Int64
	var group sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), n) {
		group.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				do(i)
			}
		})
	}
	group.Wait()
	return ctx.Err()
}
