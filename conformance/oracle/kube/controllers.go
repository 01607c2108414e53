//go:build !until1.34

package kube

import "context"

// controller writes the status of definitions.
type controller interface {
	RunWithContext(workers int, ctx context.Context)
}

// runController runs a controller until the context ends.
func runController(ctx context.Context, c controller) { c.RunWithContext(1, ctx) }
