// Package fieldpath reads the paths of fields as errors name them, e.g.
// spec.ports[0].name or metadata.labels[example.com/app].
package fieldpath

import (
	"iter"
	"strconv"
	"strings"
)

// maxKeys is the number of keys that Keys yields at most. A key with more dots
// and brackets is not found.
const maxKeys = 64

// Keys yields the keys that a path may start with, each with the rest of the
// path. There may be several, because keys can hold dots and brackets: a.b[c]
// starts with the key a, the key a.b or the key a.b[c]. A key in brackets is
// yielded without them, e.g. c of [c].d.
func Keys(path string) iter.Seq2[string, string] {
	return func(yield func(key, rest string) bool) {
		left := maxKeys
		for i := range len(path) + 1 {
			var ok bool
			switch {
			case i > 0 && (i == len(path) || path[i] == '.' || path[i] == '['):
				ok = yield(path[:i], path[i:])
			case i > 0 && path[0] == '[' && path[i] == ']':
				ok = yield(path[1:i], path[i+1:])
			default:
				continue
			}
			if left--; !ok || left == 0 {
				return
			}
		}
	}
}

// First returns the first segment of a path without looking for keys, and the
// rest: it ends at the next dot or bracket, or is in brackets.
func First(path string) (key, rest string) {
	inner, after, ok := strings.Cut(strings.TrimPrefix(path, "["), "]")
	if ok && path[0] == '[' {
		return inner, after
	}
	if end := strings.IndexAny(path, ".["); end > 0 {
		return path[:end], path[end:]
	}
	return path, ""
}

// Value returns the value at a path.
func Value(value any, path string) (found any, ok bool) {
	path = strings.TrimPrefix(path, ".")
	if path == "" {
		return value, true
	}
	switch holder := value.(type) {
	case []any:
		inner, rest, _ := strings.Cut(strings.TrimPrefix(path, "["), "]")
		if i, err := strconv.Atoi(inner); err == nil && i >= 0 && i < len(holder) {
			return Value(holder[i], rest)
		}
	case map[string]any:
		for key, rest := range Keys(path) {
			if child, has := holder[key]; has {
				if found, ok = Value(child, rest); ok {
					return found, true
				}
			}
		}
	}
	return nil, false
}

// Resolve returns the keys and indexes that a path names in a value, e.g. spec,
// ports, 0 and name. Where the value ends, the rest of the path is taken
// literally: a key ends at a dot or a bracket.
func Resolve(value any, path string) []string {
	keys, rest := longest(value, strings.TrimPrefix(path, "."))
	for rest = strings.TrimPrefix(rest, "."); rest != ""; rest = strings.TrimPrefix(rest, ".") {
		var key string
		key, rest = First(rest)
		keys = append(keys, key)
	}
	return keys
}

// longest returns the keys of the way that leads the farthest into a value, and
// the rest of the path. Each value is looked at once, because only one way
// leads to it.
func longest(value any, path string) (keys []string, rest string) {
	path = strings.TrimPrefix(path, ".")
	rest = path
	follow := func(key string, child any, after string) bool {
		below, left := longest(child, after)
		if len(left) < len(rest) {
			keys, rest = append([]string{key}, below...), left
		}
		return rest == ""
	}
	switch holder := value.(type) {
	case []any:
		inner, after, _ := strings.Cut(strings.TrimPrefix(path, "["), "]")
		if i, err := strconv.Atoi(inner); err == nil && i >= 0 && i < len(holder) {
			follow(inner, holder[i], after)
		}
	case map[string]any:
		for key, after := range Keys(path) {
			if child, has := holder[key]; has && follow(key, child, after) {
				break
			}
		}
	}
	return keys, rest
}
