package validation

import (
	"hash/maphash"
	"math"
	"strconv"
	"sync"
)

// sameItem is the equality of set items and of single list-map keys: compounds compare by their JSON text, scalars by value and Go
// type (LST-011 to LST-013).
func sameItem(a, b any) bool {
	if isCompound(a) || isCompound(b) {
		return isCompound(a) && isCompound(b) && sameJSON(a, b)
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

// sameJSON tells whether two values have the same JSON text. It differs from equality for numbers: 1 and 1.0 are the same,
// 0.0 and -0.0 are not (LST-012).
func sameJSON(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		return ok && (a == nil) == (b == nil) && sameFields(a, b)
	case []any:
		b, ok := b.([]any)
		return ok && (a == nil) == (b == nil) && sameLists(a, b)
	case int64:
		if f, ok := b.(float64); ok {
			return sameNumber(a, f)
		}
		return sameScalar(a, b)
	case float64:
		switch b := b.(type) {
		case int64:
			return sameNumber(b, a)
		case float64:
			return math.Float64bits(a) == math.Float64bits(b)
		}
		return false
	default:
		return sameScalar(a, b)
	}
}

func sameFields(a, b map[string]any) bool {
	if len(a) != len(b) {
		return false
	}
	for name, value := range a {
		if other, ok := b[name]; !ok || !sameJSON(value, other) {
			return false
		}
	}
	return true
}

func sameLists(a, b []any) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !sameJSON(a[i], b[i]) {
			return false
		}
	}
	return true
}

// sameNumber compares the texts of an integer and a float. Up to 2^53 these are the same exactly if the numbers are; beyond, the float's
// text is its shortest digits filled up with zeros.
func sameNumber(i int64, f float64) bool {
	if float64(i) != f || i == 0 && math.Signbit(f) {
		return false
	}
	if math.Abs(f) < 1<<53 {
		return true
	}
	var x, y [32]byte
	return string(strconv.AppendInt(x[:0], i, 10)) == string(strconv.AppendFloat(y[:0], f, 'f', -1, 64))
}

// hashJSON is a hash of the JSON text and, as numbers of equal value hash alike, of deep equality.
func hashJSON(seed maphash.Seed, value any) uint64 {
	switch v := value.(type) {
	case string:
		return maphash.String(seed, v)
	case int64:
		return maphash.Comparable(seed, float64(v))
	case float64:
		return maphash.Comparable(seed, v)
	case bool:
		return maphash.Comparable(seed, v)
	case []any:
		sum := uint64(len(v))
		for _, item := range v {
			sum = sum*0x9E3779B97F4A7C15 + hashJSON(seed, item)
		}
		return sum
	case map[string]any:
		sum := uint64(len(v))
		for name, field := range v { // in any order, so with a commutative operation
			pair := maphash.String(seed, name)*0x9E3779B97F4A7C15 + hashJSON(seed, field)
			sum += maphash.Comparable(seed, pair)
		}
		return sum
	default:
		return 1
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
