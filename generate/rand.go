package generate

import (
	"encoding/binary"
	"maps"
	"math/rand/v2"
	"slices"
)

// Rand is a source of choices. It is not safe for concurrent use.
type Rand struct{ src *rand.Rand }

// New returns a source that is determined by seed.
func New(seed uint64) *Rand {
	return &Rand{rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15))}
}

// FromBytes returns a source that is determined by data, for use in fuzz targets:
// the seed is a hash of all bytes.
func FromBytes(data []byte) *Rand {
	var block [8]byte
	seed := uint64(len(data))
	for len(data) > 0 {
		n := copy(block[:], data)
		clear(block[n:])
		seed = (seed ^ binary.LittleEndian.Uint64(block[:])) * 0x2545f4914f6cdd1d
		seed ^= seed >> 29
		data = data[n:]
	}
	return New(seed)
}

// Intn returns a number from 0 to n-1; n must be positive.
func (r *Rand) Intn(n int) int { return r.src.IntN(n) }

// chance reports true with the given probability.
func (r *Rand) chance(p float64) bool { return r.src.Float64() < p }

// between returns a number from low to high.
func (r *Rand) between(low, high int) int { return low + r.src.IntN(high-low+1) }

// pick returns one of the choices.
func pick[T any](r *Rand, choices ...T) T { return choices[r.src.IntN(len(choices))] }

// names returns the keys of an object in order, so that walks are determined.
func names(object map[string]any) []string { return slices.Sorted(maps.Keys(object)) }

// Clone returns a deep copy of a JSON value.
func Clone(v any) any {
	switch v := v.(type) {
	case map[string]any:
		copied := make(map[string]any, len(v))
		for name, member := range v {
			copied[name] = Clone(member)
		}
		return copied
	case []any:
		copied := make([]any, len(v))
		for i, item := range v {
			copied[i] = Clone(item)
		}
		return copied
	}
	return v
}
