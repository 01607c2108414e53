package correlate

import (
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/structural"
)

// Correlation is a new value, the old value at the same place, and their schema
// node. The zero value correlates nothing. A caller makes the Correlation of
// the root as a literal; those of children come from Field and Item. It is not
// safe for concurrent use.
type Correlation struct {
	New, Old any
	Schema   *structural.Schema

	partners *partners
}

// Field returns the correlation of an object's field. ok is false if a value is
// not an object, if one of them lacks the field, or if the field has no schema.
func (c *Correlation) Field(name string) (below Correlation, ok bool) {
	if c.Schema == nil {
		return Correlation{}, false
	}
	newFields, _ := c.New.(map[string]any)
	oldFields, _ := c.Old.(map[string]any)
	newValue, inNew := newFields[name]
	oldValue, inOld := oldFields[name]
	if !inNew || !inOld {
		return Correlation{}, false
	}
	child := c.Schema.Child(name)
	return Correlation{New: newValue, Old: oldValue, Schema: child}, child != nil
}

// Item returns the correlation of a list's item with the first old item of the
// same keys. ok is false if there is no such item, and for lists of types other
// than map.
func (c *Correlation) Item(i int) (below Correlation, ok bool) {
	if c.Schema.ListType() != structural.ListMap {
		return Correlation{}, false
	}
	newItems, _ := c.New.([]any)
	if i < 0 || i >= len(newItems) {
		return Correlation{}, false
	}
	items := c.Schema.Items()
	if c.partners == nil {
		old, _ := c.Old.([]any)
		p := newPartners(old, mapKeys(c.Schema))
		c.partners = &p
	}
	partner := c.partners.of(newItems[i])
	if partner == nil || items == nil {
		return Correlation{}, false
	}
	return Correlation{New: newItems[i], Old: partner, Schema: items}, true
}

// Equal reports whether the new value counts as unchanged. It compares through
// the schema: an object with a field that has no schema is never equal, a
// list-map is equal to a reordered one, and any other list is compared as a
// value.
func (c *Correlation) Equal() bool {
	return equal(c.New, c.Old, c.Schema)
}

// mapKeys returns the keys by which items correlate, nil if they do not.
func mapKeys(schema *structural.Schema) []string {
	if schema.Type() != "array" {
		return nil
	}
	return schema.ListMapKeys()
}

func equal(value, old any, schema *structural.Schema) bool {
	switch value := value.(type) {
	case map[string]any:
		old, ok := old.(map[string]any)
		return ok && equalFields(value, old, schema)
	case []any:
		old, ok := old.([]any)
		return ok && len(value) == len(old) && equalItems(value, old, schema)
	default:
		return jsonvalue.Equal(value, old)
	}
}

func equalFields(value, old map[string]any, schema *structural.Schema) bool {
	if len(value) != len(old) {
		return false
	}
	if len(value) == 0 {
		return true
	}
	if schema == nil {
		return false
	}
	for name, field := range value {
		oldField, ok := old[name]
		if !ok {
			return false
		}
		child := schema.Child(name)
		if child == nil || !equal(field, oldField, child) {
			return false
		}
	}
	return true
}

func equalItems(value, old []any, schema *structural.Schema) bool {
	if len(value) == 0 {
		return true
	}
	if schema == nil || schema.ListType() != structural.ListMap {
		return jsonvalue.Equal(value, old)
	}
	items := schema.Items()
	if items == nil {
		return false
	}
	p := newPartners(old, mapKeys(schema))
	for _, item := range value {
		partner := p.of(item)
		if partner == nil || !equal(item, partner, items) {
			return false
		}
	}
	return true
}

// ByName reports whether the fields of old and new objects correlate by
// name. They do for the map types granular and atomic, and without a map type.
func ByName(s *structural.Schema) bool {
	switch s.MapType() {
	case structural.MapGranular, structural.MapAtomic:
		return true
	}
	return !s.HasMapType()
}
