package generate

import (
	"maps"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
)

// Shrink makes a JSON value smaller as long as interesting reports true for it,
// and returns the smallest value that it found. The given value must be
// interesting; it is not changed. Interesting must not change its argument; it
// is called at most 20,000 times.
func Shrink(v any, interesting func(v any) bool) any {
	return ShrinkWithin(maxCalls, v, interesting)
}

// ShrinkWithin is like [Shrink], and calls interesting so many times at most.
func ShrinkWithin(calls int, v any, interesting func(v any) bool) any {
	s := &shrinker{best: []any{jsonvalue.DeepCopy(v)}, interesting: interesting, left: calls}
	for i := 0; i < len(slotsOf(s.best)) && s.left > 0; i++ {
		s.thin(i)
	}
	for s.pass() && s.left > 0 {
	}
	return s.best[0]
}

// few is the number of members that are removed one by one.
const few = 8

// thin removes members from an object that has many: half of them at a time,
// then a quarter, and so on.
func (s *shrinker) thin(i int) {
	object, _ := slotsOf(s.best)[i].get().(map[string]any)
	for size := len(object) / 2; size > few/2; size /= 2 {
		names := jsonvalue.SortedKeys(object)
		for start := 0; start < len(names) && s.left > 0; start += size {
			part := names[start:min(start+size, len(names))]
			less := func(root any, p slot) any {
				p.set(withoutNames(p.get(), part))
				return root
			}
			if s.try(i, less) {
				object, _ = slotsOf(s.best)[i].get().(map[string]any)
			}
		}
	}
}

// withoutNames returns an object without some of its members.
func withoutNames(v any, names []string) any {
	object, _ := v.(map[string]any)
	rest := maps.Clone(object)
	for _, name := range names {
		delete(rest, name)
	}
	return rest
}

// maxCalls is how often Shrink calls interesting.
const maxCalls = 20_000

// shrinker holds the smallest interesting value so far. It is the only element
// of a list, so that the value itself has a slot too.
type shrinker struct {
	best        []any
	interesting func(any) bool
	left        int
}

// pass tries every slot once, and reports whether anything became smaller.
func (s *shrinker) pass() bool {
	smaller := false
	for i := 0; i < len(slotsOf(s.best)) && s.left > 0; {
		if s.shrinkAt(i) {
			smaller = true
			continue // another slot may be at i now
		}
		i++
	}
	return smaller
}

// shrinkAt tries to make the i-th slot smaller.
func (s *shrinker) shrinkAt(i int) bool {
	steps := []func(root any, p slot) any{without, hoisted}
	for _, step := range steps {
		if s.try(i, step) {
			return true
		}
	}
	for _, candidate := range simpler(slotsOf(s.best)[i].get()) {
		if s.try(i, func(root any, p slot) any { p.set(candidate); return root }) {
			return true
		}
	}
	return false
}

// try changes a copy, and keeps it if it is interesting and smaller.
func (s *shrinker) try(i int, change func(root any, p slot) any) bool {
	copied := jsonvalue.DeepCopy(s.best)
	changed, _ := change(copied, slotsOf(copied)[i]).([]any)
	if len(changed) != 1 || s.left <= 0 || !smallerThan(changed, s.best) {
		return false
	}
	s.left--
	if !s.interesting(changed[0]) {
		return false
	}
	s.best = changed
	return true
}

// without removes a slot.
func without(root any, p slot) any {
	if p.object != nil {
		delete(p.object, p.name)
		return root
	}
	return withoutItem(root, p)
}

// withoutItem removes an element from its list, which is root or below it.
func withoutItem(root any, p slot) any {
	rest := append(append([]any{}, p.items[:p.index]...), p.items[p.index+1:]...)
	if items, ok := root.([]any); ok && sameList(items, p.items) {
		return rest
	}
	for _, other := range slotsOf(root) {
		if items, ok := other.get().([]any); ok && sameList(items, p.items) {
			other.set(rest)
			return root
		}
	}
	return nil
}

func sameList(a, b []any) bool {
	return len(a) > 0 && len(a) == len(b) && &a[0] == &b[0]
}

// hoisted replaces the value of a slot by its only member or element.
func hoisted(root any, p slot) any {
	switch v := p.get().(type) {
	case map[string]any:
		if len(v) != 1 {
			return nil
		}
		for _, member := range v {
			p.set(member)
		}
		return root
	case []any:
		if len(v) != 1 {
			return nil
		}
		p.set(v[0])
		return root
	}
	return nil
}

// simpler lists values that are simpler than another, the simplest first.
func simpler(v any) []any {
	switch v := v.(type) {
	case string:
		return []any{"", "a", half(v)}
	case int64:
		return []any{int64(0), int64(1), v / 2}
	case float64:
		return []any{int64(0), int64(1), 0.5, 1.5}
	case bool:
		return []any{true}
	case map[string]any:
		return []any{map[string]any{}}
	case []any:
		return []any{[]any{}}
	}
	return nil
}

func half(s string) string {
	runes := []rune(s)
	return string(runes[:len(runes)/2])
}

// smallerThan compares values by size, and by how simple their scalars are.
func smallerThan(a, b any) bool { return size(a) < size(b) }

// size measures the size of a value.
func size(v any) int {
	switch v := v.(type) {
	case map[string]any:
		sum := 4
		for name, member := range v {
			sum += 4 + len(name) + size(member)
		}
		return sum
	case []any:
		sum := 4
		for _, item := range v {
			sum += 4 + size(item)
		}
		return sum
	case string:
		return 2 + 2*len(v)
	case bool:
		if v {
			return 1
		}
		return 2
	case int64:
		return weighInt(v)
	case float64:
		switch v {
		case 0.5:
			return 20
		case 1.5:
			return 21
		}
		return 30
	}
	return 1
}

func weighInt(v int64) int {
	bits := 1
	for u := max(v, -(v + 1)); u > 0; u /= 2 {
		bits++
	}
	if v < 0 {
		bits++
	}
	return min(bits, 19)
}
