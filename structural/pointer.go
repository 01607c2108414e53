package structural

import (
	"iter"
	"strconv"
	"strings"
)

// Pointer is the place of a value in an object, as a JSON Pointer (RFC 6901):
// e.g. `/spec/ports/0/name` is the name of the first port, and
// `/metadata/labels/example.com~1app` the label example.com/app. Paths in
// messages are shorter, but keys with dots make them ambiguous; a pointer can
// be followed. The zero value is the object itself.
type Pointer string

// Append returns the pointer to what a key or an index leads to.
func (p Pointer) Append(key string) Pointer {
	key = strings.ReplaceAll(strings.ReplaceAll(key, "~", "~0"), "/", "~1")
	return p + "/" + Pointer(key)
}

// Keys yields the keys and indexes from the object to the value, e.g. spec,
// ports, 0 and name.
func (p Pointer) Keys() iter.Seq[string] {
	return func(yield func(string) bool) {
		rest, more := strings.CutPrefix(string(p), "/")
		for more {
			var key string
			key, rest, more = strings.Cut(rest, "/")
			key = strings.ReplaceAll(strings.ReplaceAll(key, "~1", "/"), "~0", "~")
			if !yield(key) {
				return
			}
		}
	}
}

// Value returns the value at the pointer. ok is false if there is none.
func (p Pointer) Value(object any) (value any, ok bool) {
	for key := range p.Keys() {
		switch holder := object.(type) {
		case map[string]any:
			if object, ok = holder[key]; !ok {
				return nil, false
			}
		case []any:
			i, err := strconv.ParseUint(key, 10, 31)
			if err != nil || int(i) >= len(holder) {
				return nil, false
			}
			object = holder[i]
		default:
			return nil, false
		}
	}
	return object, true
}
