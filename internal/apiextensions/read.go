package apiextensions

import (
	"strings"

	"github.com/crdsem/crdsem/internal/objectmeta"
)

// reader fills objects from decoded values. It knows two answers: the value is plain, or it is not and only the API server's
// own decoder can say what becomes of it.
type reader struct {
	mismatch bool // a value of the wrong kind
	unknown  bool // a key that the type does not have, where a strict decoder would see it
	unseen   int  // > 0 below a union, where a strict decoder sees nothing

	// texts has one copy of every text. A decoded text is part of the whole document, which it must not keep in memory.
	texts map[string]string
}

// SchemaFromValue returns the schema that a decoded value holds. It fails to (false) if some value is of the wrong kind.
// The result shares nothing with its argument.
func SchemaFromValue(value any) (*JSONSchemaProps, bool) {
	var r reader
	props := &JSONSchemaProps{}
	r.schemaInto(props, value)
	return props, !r.mismatch
}

func (r *reader) wrong() { r.mismatch = true }

func (r *reader) unknownKey() {
	if r.unseen == 0 {
		r.unknown = true
	}
}

// object returns the entries of an object, none for null.
func (r *reader) object(value any) map[string]any {
	if value == nil {
		return nil
	}
	m, ok := value.(map[string]any)
	if !ok {
		r.wrong()
	}
	return m
}

func read[T any](r *reader, to *T, value any) {
	if value == nil {
		return
	}
	v, ok := value.(T)
	if !ok {
		r.wrong()
		return
	}
	*to = v
	if text, ok := any(to).(*string); ok {
		*text = r.text(*text)
	}
}

// text returns the copy of a text.
func (r *reader) text(s string) string {
	if s == "" {
		return ""
	}
	if kept, ok := r.texts[s]; ok {
		return kept
	}
	if r.texts == nil {
		r.texts = map[string]string{}
	}
	s = strings.Clone(s)
	r.texts[s] = s
	return s
}

func readPointer[T any](r *reader, to **T, value any) {
	if value == nil {
		return
	}
	*to = new(T)
	read(r, *to, value)
}

func (r *reader) number(to **float64, value any) {
	switch v := value.(type) {
	case nil:
	case float64:
		*to = &v
	case int64:
		f := float64(v)
		*to = &f
	default:
		r.wrong()
	}
}

// list reads a list item by item; null is no list.
func list[T any](r *reader, to *[]T, value any, item func(*T, any)) {
	if value == nil {
		return
	}
	items, ok := value.([]any)
	if !ok {
		r.wrong()
		return
	}
	out := make([]T, len(items))
	for i := range items {
		item(&out[i], items[i])
	}
	*to = out
}

func (r *reader) strings(to *[]string, value any) {
	list(r, to, value, func(s *string, v any) { read(r, s, v) })
}

func dictionary[T any](r *reader, to *map[string]*T, value any, item func(*T, any)) {
	m := r.object(value)
	if m == nil {
		return
	}
	out := make(map[string]*T, len(m))
	for key, v := range m {
		entry := new(T)
		item(entry, v)
		out[r.text(key)] = entry
	}
	*to = out
}

// copyOf returns a deep copy of a value, its texts included.
func (r *reader) copyOf(value any) any {
	switch v := value.(type) {
	case string:
		return r.text(v)
	case []any:
		if v == nil {
			return v
		}
		out := make([]any, len(v))
		for i := range v {
			out[i] = r.copyOf(v[i])
		}
		return out
	case map[string]any:
		return r.copyOfMap(v)
	}
	return value
}

func (r *reader) copyOfMap(object map[string]any) map[string]any {
	if object == nil {
		return nil
	}
	out := make(map[string]any, len(object))
	for key, v := range object {
		out[r.text(key)] = r.copyOf(v)
	}
	return out
}

// metadata reads an object's metadata and brings it into its normal form.
func (r *reader) metadata(to *map[string]any, value any) {
	coerced, err := objectmeta.Coerce(value, objectmeta.Strict)
	if err != nil {
		r.wrong()
	}
	if len(coerced.Unknown) > 0 {
		r.unknownKey()
	}
	*to = r.copyOfMap(coerced.Metadata)
}
