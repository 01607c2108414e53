//go:build !unix

package contexts

import (
	"testing"
	"time"
)

var started = time.Now()

// processorTime returns the time since the program started.
func processorTime(*testing.T) time.Duration { return time.Since(started) }
