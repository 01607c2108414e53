//go:build older

package main

import (
	"context"
	"errors"
)

// errNewestOnly is the error of commands that compare with the library. It
// needs the newest versions of modules that the real code links, too.
var errNewestOnly = errors.New("only the program of the newest minor compares")

func compare(context.Context, []string) error { return errNewestOnly }

func matrix(context.Context, []string) error { return errNewestOnly }
