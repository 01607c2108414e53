package common

import (
	"fmt"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
)

// Lists of type set and map before Kubernetes 1.37, and objects before 1.34.
// Lists with a value that Go cannot hash panic, which ends the evaluation with
// an error as on a server.

// formerSetList is a list of type set. Its sum is one too.
type formerSetList struct {
	unstructuredList
	set map[any]struct{} // of the items, and of what was added; nil at first
}

// known returns the set of the items.
func (s *formerSetList) known() map[any]struct{} {
	if s.set == nil {
		s.set = make(map[any]struct{}, len(s.items))
		for _, item := range s.items {
			s.set[item] = struct{}{}
		}
	}
	return s.set
}

// Equal reports whether the other list has as many items, all of which are in
// this one.
func (s *formerSetList) Equal(other ref.Val) ref.Val {
	lister, ok := other.(traits.Lister)
	if !ok {
		return types.MaybeNoSuchOverloadErr(other)
	}
	if s.Size() != lister.Size() {
		return types.False
	}
	known := s.known()
	for it := lister.Iterator(); it.HasNext() == types.True; {
		if _, ok := known[it.Next().Value()]; !ok {
			return types.False
		}
	}
	return types.True
}

// Add appends the items that are not in the set.
func (s *formerSetList) Add(other ref.Val) ref.Val {
	lister, ok := other.(traits.Lister)
	if !ok {
		return types.MaybeNoSuchOverloadErr(other)
	}
	items, known := s.items[:len(s.items):len(s.items)], s.known()
	for it := lister.Iterator(); it.HasNext() == types.True; {
		item := it.Next().Value()
		if _, ok := known[item]; !ok {
			known[item] = struct{}{}
			items = append(items, item)
		}
	}
	return &formerSetList{unstructuredList: unstructuredList{items: items, node: s.node}}
}

// formerMapList is a list-map. Its sum is one too.
type formerMapList struct{ unstructuredMapList }

// key returns the keys of a raw item.
func (l *formerMapList) key(item any) any {
	if len(l.keys) <= 3 {
		return l.rawKey(item)
	}
	fields, ok := item.(map[string]any)
	if !ok {
		return l.rawKey(item)
	}
	values := make([]any, len(l.keys))
	for i, name := range l.keys {
		values[i] = fields[name]
	}
	return fmt.Sprintf("%v", values)
}

// Equal reports whether the other list has as many items, each of which is
// equal to the item of this one with its keys.
func (l *formerMapList) Equal(other ref.Val) ref.Val {
	equal, _ := l.equalItems(other, l.key)
	return equal
}

// Add replaces items by those with the same keys, and appends the others.
func (l *formerMapList) Add(other ref.Val) ref.Val {
	lister, ok := other.(traits.Lister)
	if !ok {
		return types.MaybeNoSuchOverloadErr(other)
	}
	items := make([]any, len(l.items))
	place := make(map[any]int, len(l.items))
	for i, item := range l.items {
		items[i], place[l.key(item)] = item, i
	}
	for it := lister.Iterator(); it.HasNext() == types.True; {
		item := it.Next().Value()
		if i, ok := place[l.key(item)]; ok {
			items[i] = item
		} else {
			items = append(items, item)
		}
	}
	sum := *l
	sum.items = items
	return &sum
}

// formerEqualField compares the values of one key. A null on both sides is a
// difference.
func (o *unstructuredMap) formerEqualField(key string, v any, mapper traits.Mapper) ref.Val {
	right, found := mapper.Find(types.String(key))
	if !found {
		return types.False
	}
	return Of(v, o.node.Value(key)).Equal(right)
}
