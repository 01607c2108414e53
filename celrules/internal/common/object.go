package common

import (
	"fmt"
	"reflect"
	"slices"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"

	"github.com/crdsem/crdsem/celrules/internal/decl"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
)

// unstructuredMap is an object or a map.
type unstructuredMap struct {
	fields map[string]any
	node   *decl.Node
}

var _ traits.Mapper = (*unstructuredMap)(nil)

func (o *unstructuredMap) ConvertToNative(to reflect.Type) (any, error) {
	if to.Kind() == reflect.Map {
		return o.fields, nil
	}
	return nil, fmt.Errorf("type conversion error from '%s' to '%s'", o.Type(), to)
}

func (o *unstructuredMap) ConvertToType(to ref.Type) ref.Val {
	switch to {
	case types.MapType:
		return o
	case types.TypeType:
		return types.MapType
	}
	return types.NewErr("type conversion error from '%s' to '%s'", o.Type(), to.TypeName())
}

func (o *unstructuredMap) Type() ref.Type { return types.MapType }
func (o *unstructuredMap) Value() any     { return o.fields }
func (o *unstructuredMap) Size() ref.Val  { return types.Int(len(o.fields)) }

// Find returns the value of a field or key. A field with null is absent, a key
// with null is not (CEL-047).
func (o *unstructuredMap) Find(key ref.Val) (ref.Val, bool) {
	name, ok := key.(types.String)
	if !ok {
		return types.MaybeNoSuchOverloadErr(key), true
	}
	return o.find(string(name))
}

// find is Find for an identifier.
func (o *unstructuredMap) find(identifier string) (ref.Val, bool) {
	name := identifier
	isObject := o.node.IsObject()
	if isObject {
		var ok bool
		if name, ok = decl.Unescape(identifier); !ok {
			return nil, false
		}
	}
	v, ok := o.fields[name]
	if !ok || isObject && v == nil {
		return nil, false
	}
	node := o.node.Value(name)
	if node == nil {
		return nil, false
	}
	return Of(v, node), true
}

func (o *unstructuredMap) Get(key ref.Val) ref.Val {
	if v, found := o.Find(key); found {
		return v
	}
	return types.ValOrErr(key, "no such key: %v", key)
}

func (o *unstructuredMap) Contains(key ref.Val) ref.Val {
	v, found := o.Find(key)
	if v != nil && types.IsUnknownOrError(v) {
		return v
	}
	return types.Bool(found)
}

// Iterator iterates over the known keys in order, followed by an empty key for
// each unknown one (CEL-049).
func (o *unstructuredMap) Iterator() traits.Iterator {
	escape := o.node.IsObject()
	keys := make([]ref.Val, 0, len(o.fields))
	for _, key := range jsonvalue.SortedKeys(o.fields) {
		if o.node.Value(key) == nil {
			continue
		}
		if escaped, ok := decl.Escape(key); ok && escape {
			key = escaped
		}
		keys = append(keys, types.String(key))
	}
	return &iterator{values: keys[:len(o.fields):len(o.fields)], of: o}
}

// Equal compares through the schema, in the order of keys, up to the first
// difference (CEL-050).
func (o *unstructuredMap) Equal(other ref.Val) ref.Val {
	mapper, ok := other.(traits.Mapper)
	if !ok {
		return types.MaybeNoSuchOverloadErr(other)
	}
	if o.Size() != mapper.Size() {
		return types.False
	}
	var few [16]string
	keys := few[:0]
	for key := range o.fields {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	for _, key := range keys {
		if eq := o.equalField(key, o.fields[key], mapper); eq != types.True {
			return eq
		}
	}
	return types.True
}

// equalField compares the values of one key.
func (o *unstructuredMap) equalField(key string, v any, mapper traits.Mapper) ref.Val {
	if o.node.Value(key) == nil {
		peer, ok := mapper.(*unstructuredMap)
		if !ok {
			return types.MaybeNoSuchOverloadErr(mapper)
		}
		other, ok := peer.fields[key]
		return types.Bool(!ok || same(v, other))
	}
	if o.node.Variant().NullsDiffer {
		return o.formerEqualField(key, v, mapper)
	}
	left, found := o.find(key)
	var right ref.Val
	var otherFound bool
	if peer, ok := mapper.(*unstructuredMap); ok {
		right, otherFound = peer.find(key)
	} else {
		right, otherFound = mapper.Find(types.String(key))
	}
	if found != otherFound {
		return types.False
	}
	if !found {
		return types.True
	}
	return left.Equal(right)
}

// iterator iterates over values that are computed already.
type iterator struct {
	values []ref.Val
	next   int
	of     ref.Val
}

func (it *iterator) HasNext() ref.Val { return types.Bool(it.next < len(it.values)) }

func (it *iterator) Next() ref.Val {
	v := it.values[it.next]
	it.next++
	return v
}

func (it *iterator) ConvertToNative(to reflect.Type) (any, error) {
	return it.of.ConvertToNative(to)
}
func (it *iterator) ConvertToType(to ref.Type) ref.Val { return it.of.ConvertToType(to) }
func (it *iterator) Equal(other ref.Val) ref.Val       { return it.of.Equal(other) }
func (it *iterator) Type() ref.Type                    { return it.of.Type() }
func (it *iterator) Value() any                        { return it.of.Value() }

// IsFlat marks a value of the object itself (see package meter).
func (*unstructuredMap) IsFlat() {}
