package common

import (
	"fmt"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"
)

// Lists before Kubernetes 1.37, whose sums have the type and the schema of
// their left side, and objects before 1.34. Sets and list-maps with a value
// that Go cannot hash panic, which ends the evaluation with an error as on a
// server.

// isFormer reports whether the list is one of a minor before 1.37.
func (l *unstructuredList) isFormer() bool { return l.node.Variant().ListsAsItems }

// formerSum appends the Go values of items.
func (l *unstructuredList) formerSum(lister traits.Lister) ref.Val {
	items := l.items[:len(l.items):len(l.items)]
	for it := lister.Iterator(); it.HasNext() == types.True; {
		items = append(items, it.Next().Value())
	}
	return &unstructuredList{items: items, node: l.node}
}

// known returns the set of the items, and of those that were added to it.
func (s *unstructuredSetList) known() map[any]struct{} {
	if s.former == nil {
		s.former = make(map[any]struct{}, len(s.items))
		for _, item := range s.items {
			s.former[item] = struct{}{}
		}
	}
	return s.former
}

// formerEqual reports whether all items of a list are in this one.
func (s *unstructuredSetList) formerEqual(lister traits.Lister) ref.Val {
	known := s.known()
	for it := lister.Iterator(); it.HasNext() == types.True; {
		if _, ok := known[it.Next().Value()]; !ok {
			return types.False
		}
	}
	return types.True
}

// formerSum appends the items that are not in the set.
func (s *unstructuredSetList) formerSum(lister traits.Lister) ref.Val {
	items, known := s.items[:len(s.items):len(s.items)], s.known()
	for it := lister.Iterator(); it.HasNext() == types.True; {
		item := it.Next().Value()
		if _, ok := known[item]; !ok {
			known[item] = struct{}{}
			items = append(items, item)
		}
	}
	return &unstructuredSetList{unstructuredList: unstructuredList{items: items, node: s.node}}
}

// formerKey returns the keys of a raw item.
func (l *unstructuredMapList) formerKey(item any) any {
	fields, ok := item.(map[string]any)
	if !ok || len(l.keys) <= 3 {
		return l.rawKey(item)
	}
	values := make([]any, len(l.keys))
	for i, name := range l.keys {
		values[i] = fields[name]
	}
	return fmt.Sprintf("%v", values)
}

// formerSum replaces items by those with the same keys, and appends the others.
func (l *unstructuredMapList) formerSum(lister traits.Lister) ref.Val {
	items := make([]any, len(l.items))
	place := make(map[any]int, len(l.items))
	for i, item := range l.items {
		items[i], place[l.formerKey(item)] = item, i
	}
	for it := lister.Iterator(); it.HasNext() == types.True; {
		item := it.Next().Value()
		if i, ok := place[l.formerKey(item)]; ok {
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
