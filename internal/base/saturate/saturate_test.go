package saturate_test

import (
	"math"
	"math/big"
	"testing"

	"github.com/crdsem/crdsem/internal/base/saturate"
)

var numbers = []uint64{
	0, 1, 2, 3, 1<<32 - 1, 1 << 32, 1<<63 - 1, 1 << 63, math.MaxUint64 - 1, math.MaxUint64,
}

// Sums and products are the exact ones, or the largest value.
func TestAddMul(t *testing.T) {
	for _, a := range numbers {
		for _, b := range numbers {
			x, y := new(big.Int).SetUint64(a), new(big.Int).SetUint64(b)
			if got, want := saturate.Add(a, b), limited(new(big.Int).Add(x, y)); got != want {
				t.Errorf("Add(%d, %d) = %d, want %d", a, b, got, want)
			}
			if got, want := saturate.Mul(a, b), limited(new(big.Int).Mul(x, y)); got != want {
				t.Errorf("Mul(%d, %d) = %d, want %d", a, b, got, want)
			}
		}
	}
}

func limited(n *big.Int) uint64 {
	if n.IsUint64() {
		return n.Uint64()
	}
	return math.MaxUint64
}
