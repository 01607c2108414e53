package repository

import (
	"cmp"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
)

// sources finds the steps of an object that may say something of a value, and
// the items of patches that items of lists came from. It is made once for an
// object, because each finding asks it.
type sources struct {
	documents []int // steps of strategic patches
	// at has the steps of operations by the places where they write, and below
	// the last step that writes below a place.
	at    map[string][]int
	below map[string]int
	lists map[*any]*itemsOf // by the first items of lists in patches
}

func newSources(steps []step) *sources {
	s := &sources{at: map[string][]int{}, below: map[string]int{}, lists: map[*any]*itemsOf{}}
	for i, step := range steps {
		if step.at == nil {
			s.documents = append(s.documents, i)
			continue
		}
		place := placeOf(step.at)
		s.at[place] = append(s.at[place], i)
		for n := range step.at {
			s.below[placeOf(step.at[:n])] = i
		}
	}
	return s
}

// placeOf returns a text that stands for some keys.
func placeOf(keys []string) string { return strings.Join(keys, "\x00") }

// about yields the steps that may say something of the value at some keys, the
// last one first: all of documents, the operations that write the value or what
// holds it, and the last one of those that write below it.
func (s *sources) about(keys []string) iter.Seq[int] {
	all := [][]int{s.documents}
	for n := range len(keys) + 1 {
		all = append(all, s.at[placeOf(keys[:n])])
	}
	if i, ok := s.below[placeOf(keys)]; ok {
		all = append(all, []int{i})
	}
	last := func(steps []int) int {
		if len(steps) == 0 {
			return -1
		}
		return steps[len(steps)-1]
	}
	return func(yield func(int) bool) {
		for {
			at := last(slices.MaxFunc(all, func(a, b []int) int {
				return cmp.Compare(last(a), last(b))
			}))
			if at < 0 || !yield(at) {
				return
			}
			for i, steps := range all {
				if last(steps) == at {
					all[i] = steps[:len(steps)-1]
				}
			}
		}
	}
}

// likeItem returns the index of the item in a list of a patch that an item of
// the object came from: the one that says nothing else than the item has, of
// several the one at the same index. It is empty without one.
func (s *sources) likeItem(said any, list []any, key string) string {
	items, _ := said.([]any)
	index, err := strconv.Atoi(key)
	if len(items) == 0 || err != nil || index < 0 || index >= len(list) {
		return ""
	}
	of := s.lists[&items[0]]
	if of == nil {
		of = newItemsOf(items)
		s.lists[&items[0]] = of
	}
	found, known := of.found[index]
	if !known {
		found = of.like(list[index], index)
		of.found[index] = found
	}
	return found
}

// itemsOf finds items of a list in a patch.
type itemsOf struct {
	list []any
	// key is the member by which the objects of the list differ most, e.g. the
	// name of containers, and with has the indexes of those that have it, by
	// its value. plain has the indexes of texts, numbers and booleans, and
	// others those of the rest.
	key         string
	with, plain map[any][]int
	others      []int
	found       map[int]string // by the indexes of items of the object
}

func newItemsOf(list []any) *itemsOf {
	of := &itemsOf{
		list: list, with: map[any][]int{}, plain: map[any][]int{}, found: map[int]string{},
	}
	values := map[string]map[any]bool{}
	for _, item := range list {
		object, _ := item.(map[string]any)
		for key, value := range object {
			if isScalar(value) && !strings.HasPrefix(key, "$") {
				if values[key] == nil {
					values[key] = map[any]bool{}
				}
				values[key][value] = true
			}
		}
	}
	for _, key := range jsonvalue.SortedKeys(values) {
		if len(values[key]) > len(values[of.key]) {
			of.key = key
		}
	}
	for i, item := range list {
		object, _ := item.(map[string]any)
		value := object[of.key]
		switch {
		case isScalar(item):
			of.plain[item] = append(of.plain[item], i)
		case isScalar(value):
			of.with[value] = append(of.with[value], i)
		default:
			of.others = append(of.others, i)
		}
	}
	return of
}

// isScalar reports whether a value is a text, a number or a boolean.
func isScalar(value any) bool { return value != nil && !isHolder(value) }

// like returns the index of the item that an item of an object with an index
// came from.
func (of *itemsOf) like(item any, index int) string {
	if index < len(of.list) && isWithin(of.list[index], item) {
		return strconv.Itoa(index)
	}
	var candidates []int
	object, _ := item.(map[string]any)
	switch value := object[of.key]; {
	case isScalar(item):
		candidates = of.plain[item]
	case isScalar(value):
		candidates = of.with[value]
	}
	found := -1
	for _, all := range [][]int{candidates, of.others} {
		for _, i := range all {
			if isWithin(of.list[i], item) && (found < 0 || i < found) {
				found = i
				break
			}
		}
	}
	if found < 0 {
		return ""
	}
	return strconv.Itoa(found)
}
