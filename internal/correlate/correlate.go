package correlate

import "github.com/crdsem/crdsem/internal/base/jsonvalue"

// Schema is what has to be known of a schema node. S is the implementing type itself; its zero value means "no schema" and
// is never asked anything. L is the type of list types.
type Schema[S any, L ~string] interface {
	comparable
	// Child is the schema of an object's field: the declared property, else that of additionalProperties, else zero.
	Child(name string) S
	// Items is the schema of a list's items, zero if there is none.
	Items() S
	Type() string
	ListType() L
	ListMapKeys() []string
}

// Correlation is a new value, the old value at the same place, and their schema. The root of an object is made as a literal;
// children come from Field and Item. It is not safe for concurrent use.
type Correlation[S Schema[S, L], L ~string] struct {
	New, Old any
	Schema   S

	partners *partners
}

// Field returns the correlation of an object's field. It reports false where there is none: a value is not an object, a side lacks
// the field, or the field has no schema.
func (c *Correlation[S, L]) Field(name string) (Correlation[S, L], bool) {
	var none S
	if c.Schema == none {
		return Correlation[S, L]{}, false
	}
	newFields, _ := c.New.(map[string]any)
	oldFields, _ := c.Old.(map[string]any)
	newValue, inNew := newFields[name]
	oldValue, inOld := oldFields[name]
	if !inNew || !inOld {
		return Correlation[S, L]{}, false
	}
	child := c.Schema.Child(name)
	return Correlation[S, L]{New: newValue, Old: oldValue, Schema: child}, child != none
}

// Item returns the correlation of a list's item: the first old item with the same keys, for lists of type map only. It reports
// false where there is none.
func (c *Correlation[S, L]) Item(i int) (Correlation[S, L], bool) {
	var none S
	if c.Schema == none || c.Schema.ListType() != "map" {
		return Correlation[S, L]{}, false
	}
	newItems, _ := c.New.([]any)
	if i < 0 || i >= len(newItems) {
		return Correlation[S, L]{}, false
	}
	items := c.Schema.Items()
	if c.partners == nil {
		old, _ := c.Old.([]any)
		p := newPartners(old, mapKeys(c.Schema))
		c.partners = &p
	}
	partner := c.partners.of(newItems[i])
	if partner == nil || items == none {
		return Correlation[S, L]{}, false
	}
	return Correlation[S, L]{New: newItems[i], Old: partner, Schema: items}, true
}

// Equal tells whether the new value counts as unchanged. It is a comparison through the schema: an object with a field that has no
// schema is never equal, a list-map is equal to a reordered one, and a list of another type is compared as a whole.
func (c *Correlation[S, L]) Equal() bool {
	return equal(c.New, c.Old, c.Schema)
}

// mapKeys are the keys by which items correlate, none if they do not.
func mapKeys[S Schema[S, L], L ~string](schema S) []string {
	if schema.Type() != "array" {
		return nil
	}
	return schema.ListMapKeys()
}

func equal[S Schema[S, L], L ~string](value, old any, schema S) bool {
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

func equalFields[S Schema[S, L], L ~string](value, old map[string]any, schema S) bool {
	var none S
	if len(value) != len(old) {
		return false
	}
	if len(value) == 0 {
		return true
	}
	if schema == none {
		return false
	}
	for name, field := range value {
		oldField, ok := old[name]
		if !ok {
			return false
		}
		child := schema.Child(name)
		if child == none || !equal(field, oldField, child) {
			return false
		}
	}
	return true
}

func equalItems[S Schema[S, L], L ~string](value, old []any, schema S) bool {
	var none S
	if len(value) == 0 {
		return true
	}
	if schema == none || schema.ListType() != "map" {
		return jsonvalue.Equal(value, old)
	}
	items := schema.Items()
	if items == none {
		return false
	}
	p := newPartners(old, mapKeys(schema))
	for _, item := range value {
		partner := p.of(item)
		if partner == nil || !equal[S, L](item, partner, items) {
			return false
		}
	}
	return true
}
