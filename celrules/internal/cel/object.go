package cel

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"
	"google.golang.org/protobuf/types/known/structpb"
)

// ObjectType is the type of a whole object that a mutation makes. A field of it
// has a type named by its path, e.g. Object.spec.
var ObjectType = types.NewObjectType("Object")

// Object is an object that an expression makes, e.g. `Object.spec{size: 1}`.
type Object struct {
	of     *types.Type
	fields map[string]ref.Val
}

// NewObject returns an object of a type.
func NewObject(of *types.Type, fields map[string]ref.Val) *Object { return &Object{of, fields} }

// IsObject reports whether a name is that of a type of objects.
func IsObject(name string) bool {
	return name == ObjectType.TypeName() || strings.HasPrefix(name, ObjectType.TypeName()+".")
}

// ObjectField returns the type of a field, which any object may have. A field
// that is not set is null.
func ObjectField(name string) *types.FieldType {
	return &types.FieldType{
		Type: types.DynType,
		IsSet: func(of any) bool {
			fields, _ := fieldsOf(of)
			_, ok := fields[name]
			return ok
		},
		GetFrom: func(of any) (any, error) {
			fields, ok := fieldsOf(of)
			if !ok {
				return nil, fmt.Errorf("cannot get field %q", name)
			}
			value := fields[name]
			if err, ok := types.DefaultTypeAdapter.NativeToValue(value).(*types.Err); ok {
				return nil, errors.New(serverTypes(err.Error()))
			}
			return value, nil
		},
	}
}

// fieldsOf returns the fields of an object. Like a server, it has none of one
// with a field that cannot be converted.
func fieldsOf(of any) (map[string]any, bool) {
	o, ok := of.(*Object)
	if !ok {
		return nil, false
	}
	fields, err := o.Native()
	return fields, err == nil
}

// CheckNames reports objects in the value whose type is not named by their path
// from it.
func (o *Object) CheckNames() error { return errors.Join(misnamed(o, o.of.TypeName())...) }

func misnamed(value ref.Val, path string) (errs []error) {
	switch value := value.(type) {
	case *Object:
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

// ConvertToNative implements ref.Val for JSON as protobuf has it. Like a
// server, it refuses null, times, and lists and maps in a list or map that the
// expression writes.
func (o *Object) ConvertToNative(target reflect.Type) (any, error) {
	if target != reflect.TypeFor[*structpb.Value]() {
		return nil, fmt.Errorf("unable to convert to %v", target)
	}
	object, err := o.Native()
	if err != nil {
		return nil, err
	}
	made, err := structpb.NewValue(object)
	if err != nil {
		return nil, errors.New(serverTypes(err.Error()))
	}
	return made, nil
}

// serverTypes writes the names of Go types in an error as a server has them.
func serverTypes(text string) string {
	return strings.NewReplacer("*quantity.Quantity", "*resource.Quantity",
		"*cel.Patch", "*mutation.JSONPatchVal").Replace(text)
}

// Native returns the object as Go has it, and as a server has it that applies
// it: items of a list or map that the expression writes are converted if they
// are objects, and what cannot be converted is left as CEL has it.
func (o *Object) Native() (map[string]any, error) {
	out := make(map[string]any, len(o.fields))
	for _, name := range slices.Sorted(maps.Keys(o.fields)) {
		v, err := goValue(o.fields[name])
		if err != nil {
			return nil, fmt.Errorf("fail to convert field %q: %w", name, err)
		}
		out[name] = v
	}
	return out, nil
}

// goValue returns the value of a field in Go. The items of a list or map that
// an expression writes are not converted further; those of one that was read
// are. A list without items is a nil slice, which a server writes as null.
func goValue(value ref.Val) (any, error) {
	switch v := value.Value().(type) {
	case *Object:
		return shallow(v), nil
	case []ref.Val:
		var out []any
		for _, item := range v {
			out = append(out, shallow(item))
		}
		return out, nil
	case map[ref.Val]ref.Val:
		return goFields(value.(traits.Mapper),
			func(v ref.Val) (any, error) { return shallow(v), nil })
	}
	switch v := value.(type) {
	case traits.Lister:
		var out []any
		for it := v.Iterator(); it.HasNext() == types.True; {
			item, err := goValue(it.Next())
			if err != nil {
				return nil, err
			}
			out = append(out, item)
		}
		return out, nil
	case traits.Mapper:
		return goFields(v, goValue)
	}
	return value.Value(), nil
}

// shallow returns the value in Go of an item.
func shallow(item ref.Val) any {
	o, ok := item.(*Object)
	if !ok {
		return item.Value()
	}
	fields, err := o.Native()
	if err != nil {
		return types.WrapErr(err)
	}
	return fields
}

// goFields converts the members of a map whose keys are texts.
func goFields(m traits.Mapper, convert func(ref.Val) (any, error)) (any, error) {
	out := map[string]any{}
	for it := m.Iterator(); it.HasNext() == types.True; {
		key := it.Next()
		name, ok := key.Value().(string)
		if !ok {
			return nil, fmt.Errorf("map key %q is of type %T, not string", key, key)
		}
		v, err := convert(m.Get(key))
		if err != nil {
			return nil, err
		}
		out[name] = v
	}
	return out, nil
}

// ConvertToType implements ref.Val.
func (o *Object) ConvertToType(target ref.Type) ref.Val {
	switch {
	case target.TypeName() == o.of.TypeName():
		return o
	case target == types.TypeType:
		return types.NewTypeTypeWithParam(o.of)
	}
	return types.NewErr("unsupported conversion into %v", target)
}

// Equal implements ref.Val. A list is equal only to itself, because a server's
// has a function in it.
func (o *Object) Equal(other ref.Val) ref.Val {
	with, ok := other.(*Object)
	return types.Bool(ok && o.of.TypeName() == with.of.TypeName() &&
		maps.EqualFunc(o.fields, with.fields, equalFields))
}

// equalFields reports whether the values of a field are equal, as Go compares
// them.
func equalFields(a, b ref.Val) bool {
	if x, ok := a.(*Object); ok {
		return x.Equal(b) == types.True
	}
	if list, ok := a.(traits.Lister); ok {
		return list == b
	}
	return reflect.DeepEqual(a, b)
}

// Type implements ref.Val.
func (o *Object) Type() ref.Type { return o.of }

// Value implements ref.Val.
func (o *Object) Value() any { return o }

// IsZeroValue implements traits.Zeroer.
func (o *Object) IsZeroValue() bool { return len(o.fields) == 0 }
