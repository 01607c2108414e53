package common

import (
	"fmt"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"

	"github.com/crdsem/crdsem/celrules/internal/decl"
)

// unstructuredMapList is a list-map (CEL-046).
type unstructuredMapList struct {
	unstructuredList
	keys []string // escaped
}

// escapedKeys returns the escaped names of keys.
func escapedKeys(names []string) []string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = name
		if escaped, ok := decl.Escape(name); ok {
			out[i] = escaped
		}
	}
	return out
}

// Equal ignores the order. It looks up the keys in the raw items by their
// escaped names, as the server does.
func (l *unstructuredMapList) Equal(other ref.Val) ref.Val {
	key := l.rawKey
	if l.isFormer() {
		key = l.formerKey
	}
	equal, unseen := l.equalItems(other, key)
	if equal == types.True && !l.isFormer() {
		return types.Bool(unseen == 0)
	}
	return equal
}

// equalItems compares each item of the other list with the item of this one
// that has its key. It also returns how many keys of this list the other one
// does not have.
func (l *unstructuredMapList) equalItems(
	other ref.Val, key func(item any) any,
) (equal ref.Val, unseen int) {
	lister, ok := other.(traits.Lister)
	if !ok {
		return types.MaybeNoSuchOverloadErr(other), 0
	}
	if l.Size() != lister.Size() {
		return types.False, 0
	}
	byKey := make(map[any]any, len(l.items))
	for _, item := range l.items {
		byKey[key(item)] = item
	}
	seen := make(map[any]struct{}, len(byKey))
	for it := lister.Iterator(); it.HasNext() == types.True; {
		v := it.Next()
		at := key(v.Value())
		item, ok := byKey[at]
		if !ok {
			return types.False, 0
		}
		if eq := Of(item, l.node).Equal(v); eq != types.True {
			return eq, 0
		}
		seen[at] = struct{}{}
	}
	return types.True, len(byKey) - len(seen)
}

// rawKey returns the keys of a raw item. An item that is not an object has a
// key of its own. A key that is not a scalar cannot be looked up: it panics,
// which ends the evaluation with an error as on a server.
func (l *unstructuredMapList) rawKey(item any) any {
	fields, ok := item.(map[string]any)
	if !ok {
		return types.NewErr(
			"unexpected data format for element of array with x-kubernetes-list-type=map: %T", item)
	}
	return keyOf(l.keys, func(name string) any { return fields[name] })
}

// Add replaces left items by right ones with the same keys, then appends the
// other right ones.
func (l *unstructuredMapList) Add(other ref.Val) ref.Val {
	lister, ok := other.(traits.Lister)
	if !ok {
		return types.MaybeNoSuchOverloadErr(other)
	}
	if l.isFormer() {
		return l.formerSum(lister)
	}
	return merge(l.values(), lister, l.keys)
}

// mapSum is the sum of list-maps, which is a list-map.
type mapSum struct {
	traits.Lister
	keys []string
}

func (s *mapSum) Add(other ref.Val) ref.Val {
	lister, ok := other.(traits.Lister)
	if !ok {
		return types.MaybeNoSuchOverloadErr(other)
	}
	return merge(allOf(s.Lister), lister, s.keys)
}

func (s *mapSum) Equal(other ref.Val) ref.Val {
	lister, ok := other.(traits.Lister)
	if !ok {
		return types.MaybeNoSuchOverloadErr(other)
	}
	if s.Size() != lister.Size() {
		return types.False
	}
	byKey := map[any]ref.Val{}
	for _, v := range allOf(s.Lister) {
		byKey[valueKey(v, s.keys)] = v
	}
	seen := map[any]struct{}{}
	for it := lister.Iterator(); it.HasNext() == types.True; {
		v := it.Next()
		key := valueKey(v, s.keys)
		mine, ok := byKey[key]
		if !ok {
			return types.False
		}
		if eq := mine.Equal(v); eq != types.True {
			return eq
		}
		seen[key] = struct{}{}
	}
	return types.Bool(len(seen) == len(byKey))
}

// merge returns the sum of list-maps.
func merge(left []ref.Val, right traits.Lister, keys []string) ref.Val {
	place := make(map[any]int, len(left))
	for i, v := range left {
		place[valueKey(v, keys)] = i
	}
	for it := right.Iterator(); it.HasNext() == types.True; {
		v := it.Next()
		if i, ok := place[valueKey(v, keys)]; ok {
			left[i] = v
		} else {
			left = append(left, v)
		}
	}
	return &mapSum{Lister: types.NewRefValList(types.DefaultTypeAdapter, left), keys: keys}
}

// valueKey returns the keys of a CEL value. A key that is missing or an error
// counts as nil.
func valueKey(v ref.Val, keys []string) any {
	return keyOf(keys, func(name string) any {
		mapper, ok := v.(traits.Mapper)
		if !ok {
			return nil
		}
		field, found := mapper.Find(types.String(name))
		if !found || field == nil || types.IsUnknownOrError(field) {
			return nil
		}
		return comparable(field.Value())
	})
}

// keyOf combines the values of keys to one comparable value. More than three
// are combined to a string.
func keyOf(names []string, get func(name string) any) any {
	switch len(names) {
	case 1:
		return get(names[0])
	case 2:
		return [2]any{get(names[0]), get(names[1])}
	case 3:
		return [3]any{get(names[0]), get(names[1]), get(names[2])}
	}
	values := make([]any, len(names))
	for i, name := range names {
		values[i] = get(name)
	}
	return fmt.Sprintf("%#v", values)
}
