package jsonvalue

import (
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"
)

// DeepCopy returns a copy that shares no map and no list with its argument.
// Values of Go types that JSON does not have are returned as they are; Check
// finds them.
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

// DeepCopyMap is DeepCopy for an object. Nil stays nil.
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

// KindOf returns the JSON kind of a value: object, array, string, boolean,
// integer, number or null. For any other Go type it returns the name of that
// type.
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

// Check returns an error for the first value, in the order of keys, that no
// JSON document holds:
//
//   - a value of another Go type than the seven, e.g. int,
//   - NaN and the infinities,
//   - a string or a key that is not UTF-8,
//   - a value nested deeper than the API server's decoder allows, which cyclic
//     values are.
//
// The error names its path, e.g. spec.ports[0]. A nil error costs no
// allocation.
func Check(value any) error {
	if plain(value, 0) {
		return nil
	}
	return check(value, nil, 0)
}

// plain reports whether check finds nothing. It needs no path and no order.
func plain(value any, depth int) bool {
	if depth > MaxDepth {
		return false
	}
	switch v := value.(type) {
	case string:
		return utf8.ValidString(v)
	case bool, int64, nil:
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
		for key, item := range v {
			if !utf8.ValidString(key) || !plain(item, depth+1) {
				return false
			}
		}
		return true
	default:
		return false
	}
}

// IsPlain reports whether Check finds nothing in a value that is nested this
// deep in an object. Depth 0 is the object itself.
func IsPlain(value any, depth int) bool { return plain(value, depth) }

// isNumber reports whether JSON has the number: not NaN and not an infinity.
func isNumber(f float64) bool { return f-f == 0 }

// step is the last step of a path, e.g. ports of spec.ports or [0] of
// spec.ports[0].
type step struct {
	parent *step
	key    string
	index  int
}

func (s *step) String() string {
	if s == nil {
		return ""
	}
	if s.index >= 0 {
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
	case string:
		if !utf8.ValidString(v) {
			return fmt.Errorf("%s: the string %.50q is not UTF-8", at, v)
		}
		return nil
	case bool, int64, nil:
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
			if !utf8.ValidString(key) {
				return fmt.Errorf("%s: the key %.50q is not UTF-8", at, key)
			}
			if err := check(v[key], &step{parent: at, key: key, index: -1}, depth+1); err != nil {
				return err
			}
		}
		return nil
	default:
		const types = "map[string]any, []any, string, bool, int64, float64, nil"
		return fmt.Errorf("%s: a value of type %T is not one of %s", at, value, types)
	}
}
