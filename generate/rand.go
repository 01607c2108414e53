package generate

import (
	"encoding/binary"
	"maps"
	"math/rand/v2"
	"slices"
)

// Rand is a source of choices, as New and FromBytes make it: the zero Rand has none to
// give. It is not safe for concurrent use.
type Rand struct{ src *rand.Rand }

// New returns a source that is determined by seed.
func New(seed uint64) *Rand {
	return &Rand{rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15))}
}

// FromBytes returns a source that is determined by data, for use in fuzz targets. The
// first eight bytes are a seed; each byte after them decides one choice, until they are
// used up and the seed decides the rest. So a fuzzer that changes a byte changes one
// choice, and can keep what it found.
func FromBytes(data []byte) *Rand {
	var seed [8]byte
	n := copy(seed[:], data)
	number := binary.LittleEndian.Uint64(seed[:]) + uint64(n)<<56
	return &Rand{rand.New(&choices{data[n:], rand.NewPCG(number, 0x9e3779b97f4a7c15)})}
}

// choices is a source of random numbers that are given by bytes first.
type choices struct {
	data []byte
	rest rand.Source
}

// Uint64 returns a number that the next byte determines, all of its bits alike, since
// some choices go by the high bits and some by the low ones.
func (c *choices) Uint64() uint64 {
	if len(c.data) == 0 {
		return c.rest.Uint64()
	}
	x := (uint64(c.data[0]) + 1) * 0x9e3779b97f4a7c15
	c.data = c.data[1:]
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
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

// Clone returns a deep copy of a JSON value, which must not be nested in itself.
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
