package objectgen

import (
	"math"
	"math/rand/v2"
	"strings"
)

// Chance reports true with probability p.
func Chance(r *rand.Rand, p float64) bool { return r.Float64() < p }

// Between returns a number from low to high, both included.
func Between(r *rand.Rand, low, high int) int { return low + r.IntN(high-low+1) }

// Pick returns one of the choices.
func Pick[T any](r *rand.Rand, choices ...T) T { return choices[r.IntN(len(choices))] }

// Any makes a small JSON value of any type.
func Any(r *rand.Rand) any {
	switch r.IntN(14) {
	case 0:
		return nil
	case 1:
		return Chance(r, 0.5)
	case 2:
		return int64(Between(r, -2, 9))
	case 3:
		return Pick[any](r, 1.0, 0.5, 0.0, 1e21, 1e-7, 1e308, math.Copysign(0, -1))
	case 4:
		return Pick[any](r,
			int64(math.MaxInt64), int64(math.MinInt64), int64(1)<<53, int64(math.MaxInt32)+1)
	case 5, 6:
		return Pick(r, "", "a", "b", "5", "true", "null", "é", "a\nb", "\"", "<x>", "\u2028",
			strings.Repeat("x", 40))
	case 7:
		return []any{}
	case 8, 9:
		return []any{Any(r), Any(r)}[:Between(r, 1, 2)]
	case 10:
		return map[string]any{}
	}
	return map[string]any{
		Pick(r, "a", "b", "name", "kind"): Any(r),
		Pick(r, "c", "value", "metadata"): Any(r),
	}
}

// ScalarOf makes a plain value of a type: e.g. "a" for string. Of an object or
// an array it makes an empty one.
func ScalarOf(r *rand.Rand, typ string) any {
	switch typ {
	case "integer":
		return int64(Between(r, -2, 5))
	case "number":
		return Pick[any](r, int64(1), 1.5, 2.0)
	case "boolean":
		return Chance(r, 0.5)
	case "object":
		return map[string]any{}
	case "array":
		return []any{}
	}
	return Pick(r, "a", "b", "", "5")
}

// CountValues counts the values in a value, itself included.
func CountValues(v any) int {
	n := 1
	switch v := v.(type) {
	case map[string]any:
		for _, member := range v {
			n += CountValues(member)
		}
	case []any:
		for _, item := range v {
			n += CountValues(item)
		}
	}
	return n
}
