package builtin

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/schema"
	"sigs.k8s.io/structured-merge-diff/v6/typed"
	"sigs.k8s.io/structured-merge-diff/v6/value"
)

// Typing returns an object as the merge library has it. It fails if the object
// does not fit its type.
type Typing func(map[string]any, ...typed.ValidationOptions) (*typed.TypedValue, error)

// Typing returns the typing of the kind.
func (m *Model) Typing() Typing {
	return func(
		object map[string]any, options ...typed.ValidationOptions,
	) (*typed.TypedValue, error) {
		types, err := m.converter()
		if err != nil {
			return nil, err
		}
		return types.ObjectToTyped(&unstructured.Unstructured{Object: object}, options...)
	}
}

// Merge returns an object with an apply configuration, as a
// MutatingAdmissionPolicy does it: the fields get no manager, and nothing is
// removed. Lists, maps and structs that are atomic cannot be configured.
// Neither object is changed. The texts of errors are those of
// k8s.io/apiserver/pkg/admission/plugin/policy/mutating/patch.
func (of Typing) Merge(object, config map[string]any) (map[string]any, error) {
	patch, err := of(config)
	if err != nil {
		return nil, fmt.Errorf("failed to convert patch object to typed object: %w", err)
	}
	if all := atomics("", patch.Schema(), patch.TypeRef(), patch.AsValue()); len(all) > 0 {
		return nil, fmt.Errorf("invalid ApplyConfiguration: may not mutate atomic arrays, maps or "+
			"structs: %s", strings.Join(all, ", "))
	}
	live, err := of(object, typed.AllowDuplicates)
	if err != nil {
		return nil, fmt.Errorf("failed to convert original object to typed object: %w", err)
	}
	merged, err := live.Merge(patch)
	if err != nil {
		return nil, fmt.Errorf("failed to merge patch: %w", err)
	}
	out, ok := merged.AsValue().Unstructured().(map[string]any)
	if !ok {
		return nil, fmt.Errorf("failed to convert typed object to object: it is a %T", out)
	}
	return runtime.DeepCopyJSON(out), nil
}

// atomics returns the paths of what is atomic in a value.
func atomics(path string, s *schema.Schema, of schema.TypeRef, v value.Value) (all []string) {
	a, _ := s.Resolve(of) // of what is not found, neither a map nor a list
	if v.IsMap() && a.Map != nil {
		if a.Map.ElementRelationship == schema.Atomic {
			all = append(all, path)
		}
		v.AsMap().Iterate(func(key string, item value.Value) bool {
			if field, ok := a.Map.FindField(key); ok {
				name := fieldpath.PathElement{FieldName: &key}.String()
				all = append(all, atomics(path+name, s, field.Type, item)...)
			}
			return true
		})
	}
	if v.IsList() && a.List != nil {
		if a.List.ElementRelationship == schema.Atomic {
			all = append(all, path)
		}
		list := v.AsList()
		for i := range list.Length() {
			name := fieldpath.PathElement{Index: &i}.String()
			all = append(all, atomics(path+name, s, a.List.ElementType, list.At(i))...)
		}
	}
	return all
}
