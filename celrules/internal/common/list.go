package common

import (
	"fmt"
	"reflect"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"

	"github.com/crdsem/crdsem/celrules/internal/decl"
)

// unstructuredList is an atomic list, whose order counts (CEL-044).
type unstructuredList struct {
	items []any
	node  *decl.Node // of the items
}

var _ traits.Lister = (*unstructuredList)(nil)

func (l *unstructuredList) ConvertToNative(to reflect.Type) (any, error) {
	if to.Kind() != reflect.Slice {
		return nil, fmt.Errorf("type conversion error from '%s' to '%s'", l.Type(), to)
	}
	if l.node.Schema.Type() != "string" {
		return l.items, nil
	}
	var texts []string
	for _, item := range l.items {
		text, ok := item.(string)
		if !ok {
			return nil, fmt.Errorf("expected all elements to be of type string, but got %T", item)
		}
		texts = append(texts, text)
	}
	return texts, nil
}

func (l *unstructuredList) ConvertToType(to ref.Type) ref.Val {
	switch to {
	case types.ListType:
		return l
	case types.TypeType:
		return types.ListType
	}
	return types.NewErr("type conversion error from '%s' to '%s'", l.Type(), to.TypeName())
}

func (l *unstructuredList) Type() ref.Type    { return types.ListType }
func (l *unstructuredList) Value() any        { return l.items }
func (l *unstructuredList) Size() ref.Val     { return types.Int(len(l.items)) }
func (l *unstructuredList) at(i int) ref.Val  { return Of(l.items[i], l.node) }
func (l *unstructuredList) values() []ref.Val { return l.valuesWithRoom(0) }

// valuesWithRoom returns the items, with capacity for more.
func (l *unstructuredList) valuesWithRoom(extra int) []ref.Val {
	out := make([]ref.Val, len(l.items), len(l.items)+extra)
	for i := range l.items {
		out[i] = l.at(i)
	}
	return out
}

// Get returns the item at an int.
func (l *unstructuredList) Get(index ref.Val) ref.Val {
	i, ok := index.(types.Int)
	if !ok {
		return types.ValOrErr(index, "unsupported index: %v", index)
	}
	if i < 0 || int64(i) >= int64(len(l.items)) {
		return types.NewErr("index out of bounds: %v", index)
	}
	return l.at(int(i))
}

// Iterator iterates over the items.
func (l *unstructuredList) Iterator() traits.Iterator {
	return &iterator{values: l.values(), of: l}
}

// Contains returns true if an item is equal. If there is no such item, it
// returns the error of the first item that cannot be compared (CEL-043).
func (l *unstructuredList) Contains(v ref.Val) ref.Val {
	if types.IsUnknownOrError(v) {
		return v
	}
	var failed ref.Val
	for i := range l.items {
		eq := l.at(i).Equal(v)
		if eq == types.True {
			return types.True
		}
		if _, ok := eq.(types.Bool); !ok && failed == nil {
			failed = types.MaybeNoSuchOverloadErr(eq)
		}
	}
	if failed != nil {
		return failed
	}
	return types.False
}

func (l *unstructuredList) Equal(other ref.Val) ref.Val {
	lister, ok := other.(traits.Lister)
	if !ok {
		return types.MaybeNoSuchOverloadErr(other)
	}
	if l.Size() != lister.Size() {
		return types.False
	}
	for i := range l.items {
		if eq := l.at(i).Equal(lister.Get(types.Int(i))); eq != types.True {
			return eq
		}
	}
	return types.True
}

// Add appends. The sum is an ordinary list.
func (l *unstructuredList) Add(other ref.Val) ref.Val {
	lister, ok := other.(traits.Lister)
	if !ok {
		return types.MaybeNoSuchOverloadErr(other)
	}
	if l.isFormer() {
		return l.formerSum(lister)
	}
	size, _ := lister.Size().(types.Int)
	all := appendAll(l.valuesWithRoom(int(size)), lister)
	return types.NewRefValList(types.DefaultTypeAdapter, all)
}

// appendAll appends the items of a list.
func appendAll(to []ref.Val, from traits.Lister) []ref.Val {
	for it := from.Iterator(); it.HasNext() == types.True; {
		to = append(to, it.Next())
	}
	return to
}

// allOf returns the items of a list.
func allOf(list traits.Lister) []ref.Val {
	size, _ := list.Size().(types.Int)
	out := make([]ref.Val, int(size))
	for i := range out {
		out[i] = list.Get(types.Int(i))
	}
	return out
}

// IsFlat marks a value of the object itself (see package meter).
func (*unstructuredList) IsFlat() {}
