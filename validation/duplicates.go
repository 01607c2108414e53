package validation

import (
	"hash/maphash"
	"sync"
)

// hasDuplicates reports whether two items of a list are the same, or whether
// the watch has ended the walk.
func hasDuplicates(items []any, id identity, x *indexes, w *watch) bool {
	if len(items) <= comparedItems {
		for i, item := range items {
			for _, earlier := range items[:i] {
				if id.same(item, earlier) {
					return true
				}
			}
		}
		return false
	}
	table := x.get(len(items))
	defer x.put(table)
	for i := range items {
		if !w.step() || table.add(items, i, id) != i {
			return true
		}
	}
	return false
}

// secondItems returns the index of each item that is the second of several same
// ones.
func secondItems(items []any, id identity, x *indexes, w *watch) []int {
	if len(items) < 2 {
		return nil
	}
	table := x.get(len(items))
	defer x.put(table)
	var seconds []int
	repeated := map[int]bool{}
	for i := range items {
		if !w.step() {
			break
		}
		if first := table.add(items, i, id); first != i && !repeated[first] {
			repeated[first] = true
			seconds = append(seconds, i)
		}
	}
	return seconds
}

// index is a hash table of item numbers with open addressing. Tables are
// reused, so that checking long lists does not allocate.
type index struct {
	slots []slot
	seed  maphash.Seed
}

// slot holds an item's number plus one, or 0 if it is free. The tag is a part
// of the item's hash that saves most comparisons.
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

// add adds item number i. It returns the number of the first item that is the
// same, which is i if there is no other.
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

// indexes is a pool of tables.
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

// comparedItems is the length up to which items are compared with each other.
// Longer lists are indexed.
const comparedItems = 16
