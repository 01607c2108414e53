package jsonvalue

import (
	"fmt"
	"slices"
	"strconv"
)

// DeepCopy returns a copy that shares no map and no list with its argument. Values of kinds that JSON does not have are
// returned as they are; Check finds them.
func DeepCopy(value any) any {
	switch v := value.(type) {
	case map[string]any:
		return DeepCopyMap(v)
	case []any:
		if v == nil {
			return v
		}
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = DeepCopy(item)
		}
		return out
	default:
		return value
	}
}

// DeepCopyMap is DeepCopy for an object; nil stays nil.
func DeepCopyMap(object map[string]any) map[string]any {
	if object == nil {
		return nil
	}
	out := make(map[string]any, len(object))
	for key, value := range object {
		out[key] = DeepCopy(value)
	}
	return out
}

// KindOf names the JSON kind of a value: object, array, string, boolean, integer, number or null; for any other Go type, that type.
func KindOf(value any) string {
	switch value.(type) {
	case map[string]any:
		return "object"
	case []any:
		return "array"
	case string:
		return "string"
	case bool:
		return "boolean"
	case int64:
		return "integer"
	case float64:
		return "number"
	case nil:
		return "null"
	default:
		return fmt.Sprintf("%T", value)
	}
}

// SortedKeys returns the keys of an object in byte order.
func SortedKeys[V any](object map[string]V) []string {
	if len(object) == 0 {
		return nil
	}
	keys := make([]string, 0, len(object))
	for key := range object {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// MaxDepth is the nesting that the API server's JSON decoder accepts.
const MaxDepth = 10000

// Check reports the first value, in key order, that is of no JSON kind or that is nested deeper than the API server's
// decoder allows. The error names its path. A nil error costs no allocation.
func Check(value any) error {
	if plain(value, 0) {
		return nil
	}
	return check(value, nil, 0)
}

// plain is check without the error, and so without the path and the order that it needs.
func plain(value any, depth int) bool {
	if depth > MaxDepth {
		return false
	}
	switch v := value.(type) {
	case string, bool, int64, nil:
		return true
	case float64:
		return isNumber(v)
	case []any:
		for _, item := range v {
			if !plain(item, depth+1) {
				return false
			}
		}
		return true
	case map[string]any:
		for _, item := range v {
			if !plain(item, depth+1) {
				return false
			}
		}
		return true
	default:
		return false
	}
}

// IsPlain tells whether Check finds nothing in a value that lies so deep in an object; 0 is the object itself.
func IsPlain(value any, depth int) bool { return plain(value, depth) }

// isNumber tells whether JSON has the number: no NaN, no infinity.
func isNumber(f float64) bool { return f-f == 0 }

type step struct {
	parent *step
	key    string
	index  int
}

func (s *step) String() string {
	if s == nil {
		return ""
	}
	if s.key == "" && s.index >= 0 {
		return s.parent.String() + "[" + strconv.Itoa(s.index) + "]"
	}
	if s.parent == nil {
		return s.key
	}
	return s.parent.String() + "." + s.key
}

func check(value any, at *step, depth int) error {
	if depth > MaxDepth {
		return fmt.Errorf("exceeded max depth %d", MaxDepth)
	}
	switch v := value.(type) {
	case string, bool, int64, nil:
		return nil
	case float64:
		if !isNumber(v) {
			return fmt.Errorf("%s: JSON has no number %v", at, v)
		}
		return nil
	case []any:
		for i, item := range v {
			if err := check(item, &step{parent: at, index: i}, depth+1); err != nil {
				return err
			}
		}
		return nil
	case map[string]any:
		for _, key := range SortedKeys(v) {
			if err := check(v[key], &step{parent: at, key: key, index: -1}, depth+1); err != nil {
				return err
			}
		}
		return nil
	default:
		return fmt.Errorf("%s: a value of type %T is not one of map[string]any, []any, string, bool, int64, float64, nil", at, value)
	}
}
