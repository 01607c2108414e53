package kube

import (
	"encoding/json"
	"fmt"
	"reflect"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/crdsem/crdsem"
)

// Untype returns an object as clients send it: a map[string]any as package
// crdsem takes it. A struct is encoded by encoding/json, and decoded as a
// server decodes the body of a request. The result shares nothing with the
// argument, and is nil for nil. The error names the type that has no JSON, or
// is a [*crdsem.ValueError] if the object is nested too deep.
func Untype(object any) (map[string]any, error) {
	switch object := object.(type) {
	case nil:
		return nil, nil
	case map[string]any:
		return copied(object)
	case *unstructured.Unstructured:
		if object == nil {
			return nil, nil
		}
		return copied(object.Object)
	}
	value := reflect.ValueOf(object)
	if value.Kind() != reflect.Pointer || value.Type().Elem().Kind() != reflect.Struct {
		return nil, fmt.Errorf("object of type %T: want a pointer to a struct, "+
			"a *unstructured.Unstructured or a map[string]any", object)
	}
	if value.IsNil() {
		return nil, nil
	}
	body, err := json.Marshal(object)
	if err != nil {
		return nil, fmt.Errorf("encoding a %T: %w", object, err)
	}
	var out map[string]any
	if err := utiljson.Unmarshal(body, &out); err != nil {
		return nil, fmt.Errorf("decoding the JSON of a %T: %w", object, err)
	}
	return out, nil
}

// into replaces the content of an object. A struct is decoded as clients decode
// an answer.
func into(content map[string]any, object any) error {
	content, err := copied(content)
	if err != nil {
		return err
	}
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
	body, err := json.Marshal(content)
	if err != nil {
		return fmt.Errorf("encoding the result: %w", err)
	}
	fresh := reflect.New(value.Type().Elem())
	if err := utiljson.Unmarshal(body, fresh.Interface()); err != nil {
		return fmt.Errorf("decoding the result into a %T: %w", object, err)
	}
	value.Elem().Set(fresh.Elem())
	return nil
}

// maxDepth is the nesting that package crdsem and the server's decoder accept.
// The object itself has depth 0.
const maxDepth = 10000

// copied returns a deep copy of an object. Values that are not JSON are kept:
// package crdsem refuses them with their path. The error is a
// *crdsem.ValueError for an object that is nested too deep, e.g. a cyclic one.
func copied(object map[string]any) (map[string]any, error) {
	value, ok := copiedValue(object, 0)
	if !ok {
		return nil, &crdsem.ValueError{Err: fmt.Errorf("exceeded max depth %d", maxDepth)}
	}
	out, _ := value.(map[string]any)
	return out, nil
}

// copiedValue returns a deep copy of a value at a depth. ok is false if it is
// nested too deep.
func copiedValue(value any, depth int) (out any, ok bool) {
	if depth > maxDepth {
		return nil, false
	}
	switch value := value.(type) {
	case map[string]any:
		if value == nil {
			return value, true
		}
		out := make(map[string]any, len(value))
		for key, v := range value {
			if out[key], ok = copiedValue(v, depth+1); !ok {
				return nil, false
			}
		}
		return out, true
	case []any:
		if value == nil {
			return value, true
		}
		out := make([]any, len(value))
		for i, v := range value {
			if out[i], ok = copiedValue(v, depth+1); !ok {
				return nil, false
			}
		}
		return out, true
	}
	return value, true
}
