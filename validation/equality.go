package validation

import (
	"hash/maphash"
	"sync"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
)

// sameItem is the equality of set items and of single list-map keys: compounds compare by their JSON text, scalars by value and Go
// type (LST-011 to LST-013).
func sameItem(a, b any) bool {
	if isCompound(a) || isCompound(b) {
		return isCompound(a) && isCompound(b) && jsonvalue.EqualJSONText(a, b)
	}
	return sameScalar(a, b)
}

// sameScalar compares by Go type and value; a value of no JSON kind equals nothing.
func sameScalar(a, b any) bool {
	switch a.(type) {
	case string, int64, float64, bool, nil:
		return a == b
	default:
		return false
	}
}

func isCompound(value any) bool {
	switch value.(type) {
	case map[string]any, []any:
		return true
	default:
		return false
	}
}

// index is a hash table of item numbers by open addressing. Tables are reused, so that checking long lists does not allocate.
type index struct {
	slots []slot
	seed  maphash.Seed
}

// slot holds an item's number plus one, 0 if it is free, and a part of its hash that saves most comparisons.
type slot struct {
	item int32
	tag  uint32
}

// reset empties the table and makes room for n items.
func (x *index) reset(n int) {
	size := 64
	for size < 2*n {
		size *= 2
	}
	if cap(x.slots) < size {
		x.slots = make([]slot, size)
		return
	}
	x.slots = x.slots[:size]
	clear(x.slots)
}

// add enters item number i and returns the number of the first item that is the same, i itself if it is the first.
func (x *index) add(items []any, i int, id identity) int {
	hash := id.hash(x.seed, items[i])
	mask := len(x.slots) - 1
	tag := uint32(hash >> 32)
	for at := int(hash) & mask; ; at = (at + 1) & mask {
		s := &x.slots[at]
		if s.item == 0 {
			*s = slot{int32(i + 1), tag}
			return i
		}
		if first := int(s.item) - 1; s.tag == tag && id.same(items[first], items[i]) {
			return first
		}
	}
}

// maxReused is the size of the largest table that is kept.
const maxReused = 1 << 16

// indexes hands out tables.
type indexes struct{ pool sync.Pool }

func (p *indexes) get(n int) *index {
	x, _ := p.pool.Get().(*index)
	if x == nil {
		x = &index{seed: maphash.MakeSeed()}
	}
	x.reset(n)
	return x
}

func (p *indexes) put(x *index) {
	if len(x.slots) <= maxReused {
		p.pool.Put(x)
	}
}

// comparedItems is the length up to which items are compared with each other rather than looked up.
const comparedItems = 16
