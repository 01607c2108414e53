package correlate

import (
	"hash/maphash"
	"math"
	"strconv"
)

// scanned is the length up to which a list is searched rather than indexed.
const scanned = 8

// partners finds the first old item of a list-map that has the keys of a new item.
type partners struct {
	old  []any
	keys []string
	// slots is a hash table of indexes into old, plus one, by open addressing; nil for short lists.
	slots []int32
	seed  maphash.Seed
}

func newPartners(old []any, keys []string) partners {
	p := partners{old: old, keys: keys}
	if len(keys) == 0 {
		p.old = nil
	}
	if len(p.old) > scanned {
		p.index()
	}
	return p
}

// of returns the partner of a new item, nil if there is none: an item without all keys, or with one that is not scalar, has none.
func (p *partners) of(item any) any {
	fields, ok := item.(map[string]any)
	if !ok || len(p.old) == 0 || !p.hasKeys(fields) {
		return nil
	}
	if p.slots != nil {
		_, found := p.slot(fields)
		if found < 0 {
			return nil
		}
		return p.old[found]
	}
	for _, candidate := range p.old {
		if old, ok := candidate.(map[string]any); ok && p.sameKeys(fields, old) {
			return old
		}
	}
	return nil
}

func (p *partners) index() {
	size := 16
	for size < 2*len(p.old) {
		size *= 2
	}
	p.slots = make([]int32, size)
	p.seed = maphash.MakeSeed()
	for i, item := range p.old {
		fields, ok := item.(map[string]any)
		if !ok || !p.hasKeys(fields) {
			continue
		}
		if slot, found := p.slot(fields); found < 0 {
			p.slots[slot] = int32(i + 1)
		}
	}
}

// slot returns the slot of an item's keys and the index of the old item in it, -1 if the slot is empty.
func (p *partners) slot(fields map[string]any) (slot, found int) {
	mask := len(p.slots) - 1
	for slot = int(p.hash(fields)) & mask; ; slot = (slot + 1) & mask {
		found = int(p.slots[slot]) - 1
		if found < 0 {
			return slot, -1
		}
		if old, ok := p.old[found].(map[string]any); ok && p.sameKeys(fields, old) {
			return slot, found
		}
	}
}

func (p *partners) hash(fields map[string]any) uint64 {
	var sum uint64
	for _, key := range p.keys {
		value := fields[key]
		if f, ok := value.(float64); ok && len(p.keys) > 1 {
			var text [floatText]byte
			sum = sum*31 + maphash.Bytes(p.seed, strconv.AppendFloat(text[:0], f, 'f', 6, 64))
			continue
		}
		sum = sum*31 + maphash.Comparable(p.seed, value)
	}
	return sum
}

// floatText holds any float64 with six decimals: a sign, 309 digits, a point.
const floatText = 320

func (p *partners) hasKeys(fields map[string]any) bool {
	for _, key := range p.keys {
		switch fields[key].(type) {
		case string, bool, int64, float64:
		default:
			return false
		}
	}
	return true
}

// sameKeys compares the keys of an item that has them all with those of any other. Two items of a list with several keys are the
// same if their floats agree to six decimals (RAT-013).
func (p *partners) sameKeys(fields, old map[string]any) bool {
	if len(p.keys) == 1 {
		return fields[p.keys[0]] == old[p.keys[0]]
	}
	for _, key := range p.keys {
		a, b := fields[key], old[key]
		x, ok := a.(float64)
		if !ok {
			if a != b {
				return false
			}
			continue
		}
		if y, ok := b.(float64); !ok || !sameText(x, y) {
			return false
		}
	}
	return true
}

func sameText(x, y float64) bool {
	if math.Float64bits(x) == math.Float64bits(y) {
		return true
	}
	if math.Abs(x-y) > 1 {
		return false
	}
	var a, b [floatText]byte
	return string(strconv.AppendFloat(a[:0], x, 'f', 6, 64)) == string(strconv.AppendFloat(b[:0], y, 'f', 6, 64))
}
