package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/crdsem/crdsem/structural"
)

// item returns an item of a set or a list-map. Numbers give different ones.
func item(s *structural.Schema, n int) any {
	if s.ListType() != structural.ListMap {
		return sample(s.Items(), n)
	}
	out := map[string]any{}
	for _, key := range s.ListMapKeys() {
		out[key] = sample(s.Items().Property(key), n)
	}
	return out
}

// sample returns a value of a schema with the fields that it requires. Numbers
// give different ones, where the type has several.
func sample(s *structural.Schema, n int) any {
	values := s.Values()
	if values == nil {
		values = &structural.ValueValidation{}
	}
	if len(values.Enum) > 0 {
		return values.Enum[min(n, len(values.Enum)-1)]
	}
	switch s.Type() {
	case "integer":
		return int64(80 + n)
	case "boolean":
		return true
	case "object":
		out := map[string]any{}
		for _, name := range values.Required {
			out[name] = sample(s.Property(name), n)
		}
		return out
	case "array":
		return []any{sample(s.Items(), n)}
	}
	switch {
	case s.IntOrString():
		return int64(80 + n)
	case values.Format == "kubernetes-quantity":
		return fmt.Sprint(1 + n)
	case strings.HasPrefix(values.Format, "kubernetes-"):
		return nil // times and bytes
	}
	return string(rune('a' + n))
}

// each calls do for each field, item and key of a schema.
func each(s *structural.Schema, at place, do func(*structural.Schema, place)) {
	if s == nil {
		return
	}
	if len(at) > 0 {
		do(s, at)
	}
	for _, name := range slices.Sorted(maps.Keys(maps.Collect(s.Properties()))) {
		if len(at) > 0 || name != "apiVersion" && name != "kind" {
			each(s.Property(name), at.with(step{field: name}), do)
		}
	}
	each(s.Items(), at.with(step{}), do)
	each(s.AdditionalSchema(), at.with(step{isKey: true}), do)
}
