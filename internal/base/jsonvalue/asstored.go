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
		if list, ok := listAsStored(v); ok {
			return list, true
		}
	case map[string]any:
		if object, ok := mapAsStored(v); ok {
			return object, true
		}
	}
	return value, false
}

func listAsStored(list []any) (out []any, changed bool) {
	out = list
	for i, item := range list {
		if stored, ok := AsStored(item); ok {
			if !changed {
				out, changed = slices.Clone(list), true
			}
			out[i] = stored
		}
	}
	return out, changed
}

func mapAsStored(object map[string]any) (out map[string]any, changed bool) {
	out = object
	for key, value := range object {
		if stored, ok := AsStored(value); ok {
			if !changed {
				out, changed = maps.Clone(object), true
			}
			out[key] = stored
		}
	}
	return out, changed
}
