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

// Constant fails the test if an operation on long lists allocates more often
// than on short ones. prepare returns the operation on a value whose lists are
// so many times as long.
func Constant(t testing.TB, name string, prepare func(times int) (do func())) {
	t.Helper()
	AtMost(t, Of(prepare(1)), name, prepare(50))
}

// Longer returns a copy of a JSON value with each list repeated.
func Longer(value any, times int) any {
	switch value := value.(type) {
	case map[string]any:
		longer := make(map[string]any, len(value))
		for key, child := range value {
			longer[key] = Longer(child, times)
		}
		return longer
	case []any:
		var longer []any
		for range times {
			for _, item := range value {
				longer = append(longer, Longer(item, times))
			}
		}
		return longer
	default:
		return value
	}
}
