package builtin

import (
	"maps"
	"slices"

	"github.com/crdsem/crdsem/structural"
)

// withoutNulls returns an object as a decoder of Go types reads it: null is an
// absent field, or the zero value of an item or of a key of a map. The argument
// is not changed; the result shares with it what has no null. isCopy reports
// whether there was one.
func withoutNulls(
	object map[string]any, s *structural.Schema,
) (out map[string]any, isCopy bool) {
	out = object
	for key, value := range object {
		property := s.Property(key)
		below := property
		if below == nil {
			below = s.AdditionalSchema()
		}
		if below == nil {
			continue
		}
		next, changed := decoded(value, below)
		isAbsent := property != nil && (value == nil || isEmptyText(key, value, s, property))
		if !changed && !isAbsent {
			continue
		}
		if !isCopy {
			out, isCopy = maps.Clone(object), true
		}
		if isAbsent {
			delete(out, key)
		} else {
			out[key] = next
		}
	}
	return out, isCopy
}

// isEmptyText reports whether a property is an empty string that a Go type does
// not tell from an absent field: the enum has no such value, or the field is
// required.
func isEmptyText(name string, value any, s, property *structural.Schema) bool {
	isTime := property.Nullable() // which is never empty
	if value != "" || property.Type() != "string" || isTime {
		return false
	}
	if own := s.Values(); own != nil && slices.Contains(own.Required, name) {
		return true
	}
	values := property.Values()
	return values != nil && len(values.Enum) > 0 && !slices.Contains(values.Enum, any(""))
}

// decoded is like withoutNulls for a value. changed reports whether the result
// is another value than the argument.
func decoded(value any, s *structural.Schema) (result any, changed bool) {
	switch v := value.(type) {
	case nil:
		zero, known := zeros[s.Type()]
		return zero, known && !s.Nullable()
	case map[string]any:
		return withoutNulls(v, s)
	case []any:
		return itemsWithoutNulls(v, s.Items())
	}
	return value, false
}

// zeros are the values of items that are null, by type.
var zeros = map[string]any{
	"object": map[string]any{}, "array": []any{}, "string": "", "boolean": false,
	"integer": int64(0), "number": int64(0),
}

func itemsWithoutNulls(list []any, items *structural.Schema) (result []any, changed bool) {
	if items == nil {
		return list, false
	}
	for i, value := range list {
		next, differs := decoded(value, items)
		if !differs {
			continue
		}
		if !changed {
			list, changed = slices.Clone(list), true
		}
		list[i] = next
	}
	return list, changed
}
