package metadata

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// sortedKeys returns the keys of an object in the order in which they are
// written as JSON.
func sortedKeys(object map[string]any) []string {
	keys := make([]string, 0, len(object))
	for k := range object {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// isNull reports whether a value is written as null: nil, and a nil map or
// slice.
func isNull(value any) bool {
	switch v := value.(type) {
	case nil:
		return true
	case map[string]any:
		return v == nil
	case []any:
		return v == nil
	}
	return false
}

// describe returns the JSON type of a value that is not null, as the decoder's
// errors show it.
func describe(value any) string {
	switch value.(type) {
	case string:
		return "string"
	case bool:
		return "bool"
	case int64, float64:
		return "number"
	case map[string]any:
		return "object"
	}
	return "array"
}

// numberText returns a float64 as JSON: in plain decimals up to 21 digits,
// beyond with a short exponent.
func numberText(f float64) string {
	size := math.Abs(f)
	if size == 0 || size >= 1e-6 && size < 1e21 {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	s := strconv.FormatFloat(f, 'e', -1, 64)
	if n := len(s); n >= 4 && s[n-4:n-1] == "e-0" {
		return s[:n-2] + s[n-1:]
	}
	return s
}

// validText replaces each byte that is not UTF-8, as the JSON writer does.
func validText(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		b.WriteRune(r)
	}
	return b.String()
}

// reread returns a value as it is after it was written as JSON and read again:
// whole floats become int64 where they fit.
func reread(value any) any {
	if isNull(value) {
		return nil
	}
	switch v := value.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for _, k := range sortedKeys(v) {
			out[validText(k)] = reread(v[k])
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = reread(v[i])
		}
		return out
	case string:
		return validText(v)
	case float64:
		if n, err := strconv.ParseInt(numberText(v), 10, 64); err == nil {
			return n
		}
	}
	return value
}

// unwritable returns the error of the first value that JSON does not have, in
// the order of writing. It returns nil if there is no such value.
func unwritable(value any) error {
	switch v := value.(type) {
	case map[string]any:
		for _, k := range sortedKeys(v) {
			if err := unwritable(v[k]); err != nil {
				return err
			}
		}
	case []any:
		for _, item := range v {
			if err := unwritable(item); err != nil {
				return err
			}
		}
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("json: unsupported value: %s", strconv.FormatFloat(v, 'g', -1, 64))
		}
	case nil, bool, string, int64:
	default:
		return fmt.Errorf("json: unsupported type: %T", value)
	}
	return nil
}
