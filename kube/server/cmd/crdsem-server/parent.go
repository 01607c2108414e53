package main

import (
	"context"
	"os"
	"time"
)

// parentPeriod is how often a program looks whether the one that started it is
// still there.
const parentPeriod = 500 * time.Millisecond

// withParent returns a context that ends when the program that started this one
// is gone: suites that do not stop envtest would leave its programs behind.
// Where the system does not tell, it does not end.
func withParent(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	parent := os.Getppid()
	go func() {
		ticker := time.NewTicker(parentPeriod)
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
				if os.Getppid() != parent {
					cancel()
					return
				}
			}
		}
	}()
	return ctx, cancel
}
