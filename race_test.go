//go:build race

package crdsem_test

func init() { underRace = true }
