package crdsem

import (
	"fmt"
	"maps"
	"strings"
)

func intAtPath(object map[string]any, path string) (int64, bool, error) {
	value, found, err := atPath(object, path)
	if !found || err != nil {
		return 0, false, err
	}
	n, ok := value.(int64)
	if !ok {
		return 0, false, wrongType(path, value, "int64")
	}
	return n, true, nil
}

func stringAtPath(object map[string]any, path string) (string, bool, error) {
	value, found, err := atPath(object, path)
	if !found || err != nil {
		return "", false, err
	}
	s, ok := value.(string)
	if !ok {
		return "", false, wrongType(path, value, "string")
	}
	return s, true, nil
}

// atPath finds a value by a path of keys joined with dots; a leading dot counts for nothing. A null on the way is an absent field.
func atPath(object map[string]any, path string) (value any, found bool, err error) {
	path = strings.TrimPrefix(path, ".")
	value = object
	seen := -1 // bytes of the path gone by, the dot before it not counted
	for key := range strings.SplitSeq(path, ".") {
		if value == nil {
			return nil, false, nil
		}
		seen += 1 + len(key)
		fields, ok := value.(map[string]any)
		if !ok {
			return nil, false, wrongType(path[:seen], value, "map[string]interface{}")
		}
		if value, found = fields[key]; !found {
			return nil, false, nil
		}
	}
	return value, true, nil
}

func wrongType(path string, value any, expected string) error {
	return fmt.Errorf(".%s accessor error: %v is of the type %T, expected %s", strings.TrimPrefix(path, "."), value, value, expected)
}

// setAtPath returns an object that has a value at a path, and shares all else with the given one. Missing objects on the way are made; a
// value of another type on the way is an error with the server's text.
func setAtPath(object map[string]any, path string, value any) (map[string]any, error) {
	keys := strings.Split(strings.TrimPrefix(path, "."), ".")
	out := maps.Clone(object)
	at := out
	for i, key := range keys[:len(keys)-1] {
		child, present := at[key]
		fields, ok := child.(map[string]any)
		if present && !ok {
			return nil, fmt.Errorf("value cannot be set because .%s is not a map[string]interface{}", strings.Join(keys[:i+1], "."))
		}
		below := make(map[string]any, len(fields)+1)
		maps.Copy(below, fields)
		at[key] = below
		at = below
	}
	at[keys[len(keys)-1]] = value
	return out, nil
}
