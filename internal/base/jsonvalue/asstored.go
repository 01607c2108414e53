package jsonvalue

import (
	"maps"
	"slices"

	"github.com/crdsem/crdsem/internal/base/yamljson"
)

// AsStored returns a value as it is read back after it was written as JSON, and
// reports whether it changed. A whole float64 whose text is an int64 is read
// back as that integer (PIPE-004). The argument is not changed; the result
// shares its unchanged parts.
func AsStored(value any) (stored any, changed bool) {
	switch v := value.(type) {
	case float64:
		if n, ok := yamljson.Integer(v); ok {
			return n, true
		}
	case []any:
		if list, ok := EachItem(v, AsStored); ok {
			return list, true
		}
	case map[string]any:
		if object, ok := EachMember(v, AsStored); ok {
			return object, true
		}
	}
	return value, false
}

// EachItem returns a list with replaced items, and reports whether some item
// changed. Otherwise it is the list itself.
func EachItem[T any](list []T, replace func(T) (T, bool)) ([]T, bool) {
	out, changed := list, false
	for i, item := range list {
		other, ok := replace(item)
		if !ok {
			continue
		}
		if !changed {
			out, changed = slices.Clone(list), true
		}
		out[i] = other
	}
	return out, changed
}

// EachMember is like EachItem for the values of a map.
func EachMember[T any](members map[string]T, replace func(T) (T, bool)) (map[string]T, bool) {
	out, changed := members, false
	for key, member := range members {
		other, ok := replace(member)
		if !ok {
			continue
		}
		if !changed {
			out, changed = maps.Clone(members), true
		}
		out[key] = other
	}
	return out, changed
}
