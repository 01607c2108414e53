package main

import (
	"context"
	"io"
)

// interruptible returns a reader that fails once a context ends, also while it
// waits, e.g. for a terminal. A context that never ends changes nothing.
func interruptible(ctx context.Context, in io.Reader) io.Reader {
	if ctx.Done() == nil {
		return in
	}
	return &interruptibleReader{ctx: ctx, in: in}
}

type interruptibleReader struct {
	ctx context.Context
	in  io.Reader
}

// chunk is the result of a read.
type chunk struct {
	data []byte
	err  error
}

// Read reads into memory of its own: a read that is given up may still write
// there.
func (r *interruptibleReader) Read(p []byte) (int, error) {
	if r.ctx.Err() != nil {
		return 0, context.Cause(r.ctx)
	}
	done := make(chan chunk, 1)
	go func() {
		data := make([]byte, len(p))
		n, err := r.in.Read(data)
		done <- chunk{data[:n], err}
	}()
	select {
	case <-r.ctx.Done():
		return 0, context.Cause(r.ctx)
	case c := <-done:
		return copy(p, c.data), c.err
	}
}
