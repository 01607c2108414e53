// Package saturate implements arithmetic on uint64 that stops at the largest
// value: the sum or product of large costs is 2^64-1 where it does not fit.
// CEL's cost model counts this way.
package saturate

import (
	"math"
	"math/bits"
	"strconv"
)

// Add returns a + b, or 2^64-1 if the sum is larger.
func Add(a, b uint64) uint64 {
	if sum, carry := bits.Add64(a, b, 0); carry == 0 {
		return sum
	}
	return math.MaxUint64
}

// Mul returns a * b, or 2^64-1 if the product is larger.
func Mul(a, b uint64) uint64 {
	if high, low := bits.Mul64(a, b); high == 0 {
		return low
	}
	return math.MaxUint64
}

// Text returns a number in decimal, and "unbounded" for the largest one, which
// stands for all that are larger.
func Text(n uint64) string {
	if n == math.MaxUint64 {
		return "unbounded"
	}
	return strconv.FormatUint(n, 10)
}
