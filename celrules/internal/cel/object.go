package cel

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"google.golang.org/protobuf/types/known/structpb"
)

// The types of what mutations make. A field of an object has a type named by
// its path, e.g. Object.spec.
var (
	ObjectType = types.NewObjectType("Object")
	PatchType  = types.NewObjectType("JSONPatch")
)

// Made is an object or an operation of a JSON patch that an expression makes,
// e.g. `Object.spec{size: 1}`.
type Made struct {
	of     *types.Type
	fields map[string]ref.Val
}

// NewMade returns a value of a type.
func NewMade(of *types.Type, fields map[string]ref.Val) *Made { return &Made{of, fields} }

// Field returns the value of a field, nil if it is not set.
func (m *Made) Field(name string) ref.Val { return m.fields[name] }

// CheckNames reports objects in the value whose type is not named by their path
// from it.
func (m *Made) CheckNames() error { return errors.Join(misnamed(m, m.of.TypeName())...) }

func misnamed(value ref.Val, path string) (errs []error) {
	switch value := value.(type) {
	case *Made:
		if name := value.of.TypeName(); name != path {
			errs = append(errs, fmt.Errorf("unexpected type name %q, expected %q, which matches "+
				"field name path from root Object type", name, path))
		}
		for _, name := range slices.Sorted(maps.Keys(value.fields)) {
			errs = append(errs, misnamed(value.fields[name], path+"."+name)...)
		}
	case traits.Lister:
		for it := value.Iterator(); it.HasNext() == types.True; {
			errs = append(errs, misnamed(it.Next(), path)...)
		}
	case traits.Mapper:
		for it := value.Iterator(); it.HasNext() == types.True; {
			errs = append(errs, misnamed(value.Get(it.Next()), path)...)
		}
	}
	return errs
}

// JSON returns a value as Go has JSON.
func JSON(value ref.Val) (any, error) {
	switch value := value.(type) {
	case types.Null:
		return nil, nil
	case *Made:
		out := make(map[string]any, len(value.fields))
		for name, field := range value.fields {
			converted, err := JSON(field)
			if err != nil {
				return nil, fmt.Errorf("fail to convert field %q: %w", name, err)
			}
			out[name] = converted
		}
		return out, nil
	case traits.Lister:
		out := []any{}
		for it := value.Iterator(); it.HasNext() == types.True; {
			item, err := JSON(it.Next())
			if err != nil {
				return nil, err
			}
			out = append(out, item)
		}
		return out, nil
	case traits.Mapper:
		out := map[string]any{}
		for it := value.Iterator(); it.HasNext() == types.True; {
			key := it.Next()
			name, ok := key.Value().(string)
			if !ok {
				return nil, fmt.Errorf("map key %q is of type %T, not string", key, key)
			}
			item, err := JSON(value.Get(key))
			if err != nil {
				return nil, err
			}
			out[name] = item
		}
		return out, nil
	}
	return value.Value(), nil
}

// ConvertToNative implements ref.Val for JSON as protobuf has it.
func (m *Made) ConvertToNative(target reflect.Type) (any, error) {
	if target != reflect.TypeFor[*structpb.Value]() {
		return nil, fmt.Errorf("unable to convert to %v", target)
	}
	object := &structpb.Struct{Fields: map[string]*structpb.Value{}}
	for name, field := range m.fields {
		converted, err := field.ConvertToNative(target)
		if err != nil {
			return nil, fmt.Errorf("fail to convert field %q: %w", name, err)
		}
		value, ok := converted.(*structpb.Value)
		if !ok {
			return nil, fmt.Errorf("field %q is a %T", name, converted)
		}
		object.Fields[name] = value
	}
	return structpb.NewStructValue(object), nil
}

// ConvertToType implements ref.Val.
func (m *Made) ConvertToType(target ref.Type) ref.Val {
	switch {
	case target.TypeName() == m.of.TypeName():
		return m
	case target == types.TypeType:
		return types.NewTypeTypeWithParam(m.of)
	}
	return types.NewErr("unsupported conversion into %v", target)
}

// Equal implements ref.Val.
func (m *Made) Equal(other ref.Val) ref.Val {
	o, ok := other.(*Made)
	return types.Bool(ok && m.of.TypeName() == o.of.TypeName() &&
		reflect.DeepEqual(m.fields, o.fields))
}

// Type implements ref.Val.
func (m *Made) Type() ref.Type { return m.of }

// Value implements ref.Val.
func (m *Made) Value() any { return m }

// IsZeroValue implements traits.Zeroer.
func (m *Made) IsZeroValue() bool { return len(m.fields) == 0 }

// Get implements traits.Indexer for the operations of a patch.
func (m *Made) Get(index ref.Val) ref.Val {
	if name, ok := index.(types.String); ok && m.of == PatchType {
		if value := m.fields[string(name)]; value != nil {
			return value
		}
		if name != "value" {
			return types.String("")
		}
	}
	return types.NewErr("unsupported indexer: %s", index)
}

// IsObject reports whether a name is that of a type of objects.
func IsObject(name string) bool {
	return name == ObjectType.TypeName() || strings.HasPrefix(name, ObjectType.TypeName()+".")
}
