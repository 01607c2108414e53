package policy

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"

	"github.com/crdsem/crdsem/celrules/internal/decl"
)

// fields are the value of the variable variables. No expression calls its
// method Contains, because typeOfFields does not have the trait.
type fields struct {
	traits.Mapper
	run *Run
}

var typeOfFields = types.NewObjectType(variablesType,
	traits.IndexerType|traits.FieldTesterType|traits.IterableType)

// Find implements traits.Mapper: it evaluates a variable. As in the server, the
// key is unescaped and the names of variables are not, so that no variable with
// an escape sequence in its name is found.
func (f *fields) Find(key ref.Val) (ref.Val, bool) {
	identifier, ok := key.(types.String)
	if !ok {
		return types.MaybeNoSuchOverloadErr(key), true
	}
	name, ok := decl.Unescape(string(identifier))
	if !ok || f.run.variables[name] == nil {
		return nil, false
	}
	return f.run.variable(name), true
}

// Get implements traits.Mapper.
func (f *fields) Get(key ref.Val) ref.Val {
	if value, ok := f.Find(key); ok {
		return value
	}
	return types.ValOrErr(key, "no such key: %v", key)
}

// Size implements traits.Mapper.
func (f *fields) Size() ref.Val { return types.Int(len(f.run.variables)) }

// Iterator implements traits.Mapper. As in the server, it goes over the values
// and not over the names. The order is that of the names, where the server's is
// random.
func (f *fields) Iterator() traits.Iterator {
	return &fieldIterator{f, slices.Sorted(maps.Keys(f.run.variables))}
}

// fieldIterator evaluates the variables that are left, one after the other.
type fieldIterator struct {
	*fields
	left []string
}

// HasNext implements traits.Iterator.
func (i *fieldIterator) HasNext() ref.Val { return types.Bool(len(i.left) > 0) }

// Next implements traits.Iterator.
func (i *fieldIterator) Next() ref.Val {
	name := i.left[0]
	i.left = i.left[1:]
	return i.Get(types.String(name))
}

// ConvertToNative implements ref.Val: there is no such value in Go.
func (f *fields) ConvertToNative(to reflect.Type) (any, error) {
	return nil, fmt.Errorf("disallowed conversion from %q to %q", variablesType, to.Name())
}

// ConvertToType implements ref.Val. Only the function type() calls it.
func (f *fields) ConvertToType(ref.Type) ref.Val { return typeOfFields }

// Equal implements ref.Val. A run has only one such value.
func (f *fields) Equal(other ref.Val) ref.Val {
	if _, ok := other.(*fields); ok {
		return types.True
	}
	return types.MaybeNoSuchOverloadErr(other)
}

// Type implements ref.Val.
func (f *fields) Type() ref.Type { return typeOfFields }

// Value implements ref.Val.
func (f *fields) Value() any { return types.NoSuchOverloadErr() }
