package jsonvalue

import (
	"math"
	"testing"

	"github.com/crdsem/crdsem/internal/test/allocs"
)

// Whole numbers whose text is an int64 become that integer. Everything else and
// the argument stay as they are.
func TestAsStored(t *testing.T) {
	for _, tc := range []struct{ in, want any }{
		{1.0, int64(1)},
		{math.Copysign(0, -1), int64(0)},
		{1.5, 1.5},
		{1e21, 1e21},
		{float64(math.MaxInt64), float64(math.MaxInt64)},
		{float64(math.MinInt64), float64(math.MinInt64)},
		{-9223372036854774784.0, int64(-9223372036854775000)},
		{9223372036854774784.0, int64(9223372036854775000)},
		{1234567890123456789.0, int64(1234567890123456800)},
		{9007199254740993.0, int64(9007199254740992)},
		{1e18, int64(1e18)},
		{int64(7), int64(7)},
		{[]any{1.0, "a", []any{2.0}}, []any{int64(1), "a", []any{int64(2)}}},
		{map[string]any{"a": 1.0, "b": map[string]any{"c": 2.0}}, map[string]any{"a": int64(1), "b": map[string]any{"c": int64(2)}}},
	} {
		before := DeepCopy(tc.in)
		got, changed := AsStored(tc.in)
		if !Equal(got, tc.want) || changed == Equal(tc.in, got) || !Equal(tc.in, before) {
			t.Errorf("%v: %v, %t, want %v", before, got, changed, tc.want)
		}
	}
}

// What a value that does not change allocates does not grow with its lists.
func TestAsStoredAllocates(t *testing.T) {
	object := map[string]any{"a": int64(1), "b": []any{1.5, "x", map[string]any{"c": nil}}}
	allocs.Constant(t, "AsStored", func(times int) func() {
		long := allocs.Longer(object, times)
		return func() { AsStored(long) }
	})
}
