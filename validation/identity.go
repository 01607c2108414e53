package validation

import (
	"hash/maphash"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
)

// identity decides which items of a list are the same.
type identity interface {
	same(a, b any) bool
	hash(seed maphash.Seed, item any) uint64
	// shown returns the part of an item that an error shows.
	shown(item any) any
	// rule returns the rule that a repeated item breaks.
	rule(item any) string
}

// sameItem reports whether two items of a set, or two values of a single
// list-map key, are the same (LST-011 to LST-013). Lists and objects are
// compared by their JSON text, scalars by Go type and value.
func sameItem(a, b any) bool {
	if isCompound(a) || isCompound(b) {
		return isCompound(a) && isCompound(b) && jsonvalue.EqualJSONText(a, b)
	}
	return sameScalar(a, b)
}

// sameScalar compares by Go type and value. A value of a Go type that JSON does
// not have is equal to nothing.
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

// deepItems compares whole items with their Go types, as uniqueItems does
// (VAL-071).
type deepItems struct{ setItems }

func (deepItems) same(a, b any) bool { return jsonvalue.Equal(a, b) }

// setItems compares whole items, as sets do (LST-010).
type setItems struct{}

func (setItems) same(a, b any) bool                      { return sameItem(a, b) }
func (setItems) hash(seed maphash.Seed, item any) uint64 { return jsonvalue.Hash(seed, item) }
func (setItems) shown(item any) any                      { return item }
func (setItems) rule(any) string                         { return "LST-010" }

// mapItems returns the identity of a list-map's items.
func (n *listTypeNode) mapItems() identity {
	if len(n.keys) == 1 {
		return singleKey{&n.keys[0]}
	}
	return severalKeys{&n.keys}
}

// singleKey compares the value of the only key. Absent keys are the same, and
// they differ from null (LST-020 to LST-023).
type singleKey struct{ key *string }

func (k singleKey) of(item any) (value any, ok bool) {
	fields, _ := item.(map[string]any)
	value, ok = fields[*k.key]
	return value, ok
}

func (k singleKey) same(a, b any) bool {
	x, inA := k.of(a)
	y, inB := k.of(b)
	return inA == inB && sameItem(x, y)
}

func (k singleKey) hash(seed maphash.Seed, item any) uint64 {
	value, _ := k.of(item)
	return jsonvalue.Hash(seed, value)
}

func (k singleKey) shown(item any) any {
	if value, ok := k.of(item); ok {
		return map[string]any{*k.key: value}
	}
	return map[string]any{}
}

func (k singleKey) rule(item any) string {
	if _, ok := k.of(item); !ok {
		return "LST-022"
	}
	return "LST-020"
}

// severalKeys compares the JSON text of the object of all keys that are present
// (LST-024).
type severalKeys struct{ keys *[]string }

func (k severalKeys) same(a, b any) bool {
	x, _ := a.(map[string]any)
	y, _ := b.(map[string]any)
	for _, key := range *k.keys {
		p, inX := x[key]
		q, inY := y[key]
		if inX != inY || !jsonvalue.EqualJSONText(p, q) {
			return false
		}
	}
	return true
}

func (k severalKeys) hash(seed maphash.Seed, item any) uint64 {
	fields, _ := item.(map[string]any)
	var sum uint64
	for _, key := range *k.keys {
		value, ok := fields[key]
		sum *= 0x9E3779B97F4A7C15
		if ok {
			sum += jsonvalue.Hash(seed, value)
		}
	}
	return sum
}

func (k severalKeys) shown(item any) any {
	fields, _ := item.(map[string]any)
	present := map[string]any{}
	for _, key := range *k.keys {
		if value, ok := fields[key]; ok {
			present[key] = value
		}
	}
	return present
}

func (severalKeys) rule(any) string { return "LST-024" }
