package compilation

import (
	"context"
	"sync"
	"sync/atomic"
)

// flight is a value that is computed once for all goroutines that wait for it.
// Each of them waits until its own context ends. The computation goes on then
// and serves later ones. The zero value is ready to use.
type flight[T any] struct {
	landed atomic.Bool // value may be read

	mu     sync.Mutex
	done   chan struct{} // nil before the first call; closed when landed
	value  T
	failed any // what the computation panicked with
}

// get returns the value. It fails with the cause of the context if that ends
// first. A panic of the computation is repeated in each call.
func (f *flight[T]) get(ctx context.Context, compute func() T) (T, error) {
	f.mu.Lock()
	first := f.done == nil
	if first {
		f.done = make(chan struct{})
	}
	f.mu.Unlock()
	if first {
		go f.fly(compute)
	}
	select {
	case <-f.done:
		return f.result(), nil
	default:
	}
	select {
	case <-f.done:
		return f.result(), nil
	case <-ctx.Done():
		var none T
		return none, context.Cause(ctx)
	}
}

// fly computes the value.
func (f *flight[T]) fly(compute func() T) {
	defer close(f.done)
	defer func() {
		if f.failed = recover(); f.failed == nil {
			f.landed.Store(true)
		}
	}()
	f.value = compute()
}

// result returns the value of a computation that is over.
func (f *flight[T]) result() T {
	if f.failed != nil {
		panic(f.failed)
	}
	return f.value
}

// known returns the value if it is computed already.
func (f *flight[T]) known() (value T, ok bool) {
	if !f.landed.Load() {
		return value, false
	}
	return f.value, true
}
