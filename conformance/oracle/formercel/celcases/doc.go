// Package celcases is the package internal/test/celcases with the path that
// cel-go had before v0.32, which Kubernetes links up to 1.37.
package celcases
