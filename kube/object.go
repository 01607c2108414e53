package kube

import (
	"fmt"
	"reflect"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
)

// Untype returns an object as clients send it: a map[string]any as package
// crdsem takes it. The result shares nothing with the argument, and is nil for
// nil. The error names the type that does not convert.
func Untype(object any) (map[string]any, error) {
	switch object := object.(type) {
	case nil:
		return nil, nil
	case map[string]any:
		return copied(object), nil
	case *unstructured.Unstructured:
		if object == nil {
			return nil, nil
		}
		return copied(object.Object), nil
	}
	value := reflect.ValueOf(object)
	if value.Kind() != reflect.Pointer || value.Type().Elem().Kind() != reflect.Struct {
		return nil, fmt.Errorf("object of type %T: want a pointer to a struct, "+
			"a *unstructured.Unstructured or a map[string]any", object)
	}
	if value.IsNil() {
		return nil, nil
	}
	out, err := runtime.DefaultUnstructuredConverter.ToUnstructured(object)
	if err != nil {
		return nil, fmt.Errorf("converting a %T: %w", object, err)
	}
	return out, nil
}

// into replaces the content of an object.
func into(content map[string]any, object any) error {
	content = copied(content)
	switch object := object.(type) {
	case *unstructured.Unstructured:
		if object == nil {
			break
		}
		object.Object = content
		return nil
	case *map[string]any:
		if object == nil {
			break
		}
		*object = content
		return nil
	}
	value := reflect.ValueOf(object)
	if value.Kind() != reflect.Pointer || value.IsNil() ||
		value.Type().Elem().Kind() != reflect.Struct {
		return fmt.Errorf("result into a %T: want a pointer to a struct, "+
			"a *unstructured.Unstructured or a *map[string]any", object)
	}
	fresh := reflect.New(value.Type().Elem())
	err := runtime.DefaultUnstructuredConverter.FromUnstructured(content, fresh.Interface())
	if err != nil {
		return fmt.Errorf("converting the result to a %T: %w", object, err)
	}
	value.Elem().Set(fresh.Elem())
	return nil
}

// copied returns a deep copy of an object. Values that are not JSON are kept:
// package crdsem refuses them with their path.
func copied(object map[string]any) map[string]any {
	out, _ := copiedValue(object).(map[string]any)
	return out
}

func copiedValue(value any) any {
	switch value := value.(type) {
	case map[string]any:
		if value == nil {
			return value
		}
		out := make(map[string]any, len(value))
		for key, v := range value {
			out[key] = copiedValue(v)
		}
		return out
	case []any:
		if value == nil {
			return value
		}
		out := make([]any, len(value))
		for i, v := range value {
			out[i] = copiedValue(v)
		}
		return out
	}
	return value
}
