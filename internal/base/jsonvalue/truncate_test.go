package jsonvalue

import (
	"math"
	"testing"
)

func TestTruncate(t *testing.T) {
	for f, want := range map[float64]int64{
		1.9: 1, -1.9: -1, -0x1p63: math.MinInt64, 0x1p62: 1 << 62,
		0x1p63: math.MinInt64, -0x1p64: math.MinInt64,
		math.Inf(1): math.MinInt64, math.Inf(-1): math.MinInt64,
	} {
		if got := Truncate(f); got != want {
			t.Errorf("Truncate(%v) = %d, want %d", f, got, want)
		}
	}
	if got := Truncate(math.NaN()); got != math.MinInt64 {
		t.Errorf("Truncate(NaN) = %d", got)
	}
}
