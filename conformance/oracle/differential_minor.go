//go:build until1.36

package main

import (
	"context"
	"errors"
)

// compare cannot work in the program of an older minor. The library needs the
// newest versions of the modules that both use.
func compare(context.Context, []string) error {
	return errors.New("the program of the newest minor compares: differential -real PROGRAM")
}
