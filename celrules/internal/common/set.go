package common

import (
	"fmt"
	"reflect"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"
)

// unstructuredSetList is a list of type set (CEL-045).
type unstructuredSetList struct {
	unstructuredList
	former map[any]struct{} // see known
}

// Equal ignores the order and how often a value occurs, but not the number of
// items.
func (s *unstructuredSetList) Equal(other ref.Val) ref.Val {
	lister, ok := other.(traits.Lister)
	if !ok {
		return types.MaybeNoSuchOverloadErr(other)
	}
	if s.Size() != lister.Size() {
		return types.False
	}
	if s.isFormer() {
		return s.formerEqual(lister)
	}
	return equalSets(s.values(), lister)
}

// Add returns the union: the left items in their order, then the new ones.
func (s *unstructuredSetList) Add(other ref.Val) ref.Val {
	lister, ok := other.(traits.Lister)
	if !ok {
		return types.MaybeNoSuchOverloadErr(other)
	}
	if s.isFormer() {
		return s.formerSum(lister)
	}
	return union(s.values(), lister)
}

// setSum is the sum of sets, which is a set.
type setSum struct{ traits.Lister }

func (s *setSum) Equal(other ref.Val) ref.Val {
	lister, ok := other.(traits.Lister)
	if !ok {
		return types.MaybeNoSuchOverloadErr(other)
	}
	if s.Size() != lister.Size() {
		return types.False
	}
	return equalSets(allOf(s.Lister), lister)
}

func (s *setSum) Add(other ref.Val) ref.Val {
	lister, ok := other.(traits.Lister)
	if !ok {
		return types.MaybeNoSuchOverloadErr(other)
	}
	return union(allOf(s.Lister), lister)
}

// equalSets compares the sets of values of two lists of one length.
func equalSets(left []ref.Val, right traits.Lister) ref.Val {
	seen, err := setOf(left)
	if err != nil {
		return err
	}
	count := 0
	for it := right.Iterator(); it.HasNext() == types.True; {
		key, err := setKey(it.Next())
		if err != nil {
			return err
		}
		again, ok := seen[key]
		if !ok {
			return types.False
		}
		if !again {
			seen[key] = true
			count++
		}
	}
	return types.Bool(count == len(seen))
}

// union returns the sum of sets.
func union(left []ref.Val, right traits.Lister) ref.Val {
	seen, err := setOf(left)
	if err != nil {
		return err
	}
	for it := right.Iterator(); it.HasNext() == types.True; {
		v := it.Next()
		key, err := setKey(v)
		if err != nil {
			return err
		}
		if _, ok := seen[key]; !ok {
			seen[key] = false
			left = append(left, v)
		}
	}
	return &setSum{types.NewRefValList(types.DefaultTypeAdapter, left)}
}

// setOf returns the keys of values, which are not yet marked as seen.
func setOf(values []ref.Val) (map[any]bool, ref.Val) {
	set := make(map[any]bool, len(values))
	for _, v := range values {
		key, err := setKey(v)
		if err != nil {
			return nil, err
		}
		set[key] = false
	}
	return set, nil
}

// setKey returns the key of a scalar, or an error for a list or map.
func setKey(v ref.Val) (any, ref.Val) {
	switch v.(type) {
	case traits.Lister, traits.Mapper:
		return nil, types.NewErr("listSet operations are only supported on lists of scalar values")
	}
	return comparable(v.Value()), nil
}

// comparable returns a value that can be a key of a Go map. Other values are
// written to a string with their types.
func comparable(raw any) any {
	if raw != nil && !reflect.TypeOf(raw).Comparable() {
		return fmt.Sprintf("%#v", raw)
	}
	return raw
}
