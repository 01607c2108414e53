package cel

import (
	"fmt"
	"reflect"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
)

// PatchType is the type of an operation of a JSON patch.
var PatchType = types.NewObjectType("JSONPatch")

// Patch is an operation of a JSON patch that an expression makes, e.g.
// `JSONPatch{op: 'add', path: '/spec/size', value: 1}`. A text that is empty
// counts as not set.
type Patch struct {
	Op, Path, From string
	Content        ref.Val // the value; nil without one
}

// NewPatch returns an operation, or an error for a field that is no text.
func NewPatch(fields map[string]ref.Val) ref.Val {
	p := &Patch{Content: fields["value"]}
	for _, f := range []struct {
		name string
		to   *string
	}{{"op", &p.Op}, {"path", &p.Path}, {"from", &p.From}} {
		v, isSet := fields[f.name]
		if !isSet {
			continue
		}
		text, ok := v.Value().(string)
		if !ok {
			return types.NewErr("unexpected type %T for JSONPatchType '%s' field",
				v.Value(), f.name)
		}
		*f.to = text
	}
	return p
}

// PatchField returns the type of a field. A name that no operation has is found
// too, and has no type.
func PatchField(name string) *types.FieldType {
	switch name {
	case "op", "path", "from":
		return &types.FieldType{Type: types.StringType}
	case "value":
		return &types.FieldType{Type: types.DynType}
	}
	return &types.FieldType{}
}

// field returns the value of a field, and whether operations have one of this
// name. The value is null if it is not set.
func (p *Patch) field(index ref.Val) (v ref.Val, isSet, known bool) {
	name, _ := index.Value().(string)
	switch name {
	case "op":
		return types.String(p.Op), p.Op != "", true
	case "path":
		return types.String(p.Path), p.Path != "", true
	case "from":
		return types.String(p.From), p.From != "", true
	case "value":
		if p.Content == nil {
			return types.NullValue, false, true
		}
		return p.Content, true, true
	}
	return nil, false, false
}

// Get implements traits.Indexer.
func (p *Patch) Get(index ref.Val) ref.Val {
	if v, _, known := p.field(index); known {
		return v
	}
	return types.NewErr("unsupported indexer: %s", index)
}

// IsSet implements traits.FieldTester.
func (p *Patch) IsSet(index ref.Val) ref.Val {
	if _, isSet, known := p.field(index); known {
		return types.Bool(isSet)
	}
	return types.NewErr("unsupported field: %s", index)
}

// Equal implements ref.Val.
func (p *Patch) Equal(other ref.Val) ref.Val {
	with, ok := other.(*Patch)
	switch {
	case !ok || p.Op != with.Op || p.Path != with.Path || p.From != with.From:
		return types.False
	case p.Content == nil || with.Content == nil:
		return types.Bool(p.Content == nil && with.Content == nil)
	}
	return p.Content.Equal(with.Content)
}

// ConvertToNative implements ref.Val. An operation is no JSON value.
func (p *Patch) ConvertToNative(target reflect.Type) (any, error) {
	return nil, fmt.Errorf("cannot convert to native type: %v", target)
}

// ConvertToType implements ref.Val.
func (p *Patch) ConvertToType(target ref.Type) ref.Val {
	switch target {
	case PatchType:
		return p
	case types.TypeType:
		return types.NewTypeTypeWithParam(PatchType)
	}
	return types.NewErr("unsupported type: %s", target.TypeName())
}

// Type implements ref.Val.
func (p *Patch) Type() ref.Type { return PatchType }

// Value implements ref.Val.
func (p *Patch) Value() any { return p }
