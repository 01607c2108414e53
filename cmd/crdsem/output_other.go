//go:build !linux

package main

// checkOutput does nothing where it is not known whether the standard output
// was closed.
func checkOutput() error { return nil }
