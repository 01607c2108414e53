package generate

import (
	"encoding/binary"
	"math/rand/v2"
)

// NewRand returns a random source that is determined by a seed.
func NewRand(seed uint64) *rand.Rand {
	return rand.New(rand.NewPCG(seed, stream))
}

// stream selects the sequence of a seed: the fraction of the golden ratio.
const stream = 0x9e3779b97f4a7c15

// FromBytes returns a random source that is determined by data, for use in fuzz
// targets. The first eight bytes are a seed. Each byte after them decides one
// choice; when they are used up, the seed decides the rest. A fuzzer that
// changes a byte therefore changes one choice, and keeps what it found.
func FromBytes(data []byte) *rand.Rand {
	var seed [8]byte
	n := copy(seed[:], data)
	number := binary.LittleEndian.Uint64(seed[:]) + uint64(n)<<56
	return rand.New(&choices{data[n:], rand.NewPCG(number, stream)})
}

// choices is a source of random numbers that takes them from bytes first.
type choices struct {
	data []byte
	rest rand.Source
}

// Uint64 returns a number that the next byte determines. All of its bits depend
// on the byte, because some choices use the high bits and some the low ones.
func (c *choices) Uint64() uint64 {
	if len(c.data) == 0 {
		return c.rest.Uint64()
	}
	x := (uint64(c.data[0]) + 1) * stream
	c.data = c.data[1:]
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
