//go:build until1.34

package kube

import "context"

// controller writes the status of definitions.
type controller interface {
	Run(workers int, stop <-chan struct{})
}

// runController runs a controller until the context ends.
func runController(ctx context.Context, c controller) { c.Run(1, ctx.Done()) }
