package allocs

import (
	"runtime"
	"testing"
)

// Bytes returns how many bytes a function allocates.
func Bytes(do func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// Linear fails the test if an operation of four times the size allocates more
// than six times the bytes; a quadratic one allocates sixteen times as many.
// The slack is for pools and caches.
func Linear(t *testing.T, name string, size int, prepare func(size int) (do func())) {
	t.Helper()
	const slack = 1 << 20
	once, four := prepare(size), prepare(4*size)
	once() // what is made once in a process is there
	small, large := Bytes(once), Bytes(four)
	if large > 6*small+slack {
		t.Errorf("%s: %d bytes for a size of %d, and %d for four times the size", name, small, size,
			large)
	}
}

// Kept returns how many bytes are kept after a function, with its result.
func Kept(do func() any) int64 {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	kept := do()
	runtime.GC()
	runtime.ReadMemStats(&after)
	runtime.KeepAlive(kept)
	return int64(after.HeapAlloc) - int64(before.HeapAlloc)
}
