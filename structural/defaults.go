package structural

import (
	"maps"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
)

// DefaultedProperties returns the names of the declared properties that have a default, in byte order.
func (s *Schema) DefaultedProperties() []string { return s.orEmpty().defaulted }

func defaultedNames(k *keywords) []string {
	var names []string
	for _, name := range k.names {
		if k.properties[name].Default() != nil {
			names = append(names, name)
		}
	}
	return names
}

// Location is where a node lies on the spine, seen from the root. The nil Location is the root.
type Location struct {
	parent *Location
	schema *Schema
	kind   locationKind
	key    string
}

type locationKind uint8

const (
	atProperty locationKind = iota
	atAdditional
	atItem
)

// Parent returns the location of the node above; the root has none.
func (p *Location) Parent() *Location { return p.parent }

// Schema returns the node that lies at the location, which is not the root.
func (p *Location) Schema() *Schema { return p.schema }

// Property returns the name by which properties leads to the node, empty if something else does. The location is not the root.
func (p *Location) Property() string {
	if p.kind == atProperty {
		return p.key
	}
	return ""
}

// IsItem tells whether items leads to the node. The location is not the root.
func (p *Location) IsItem() bool { return p.kind == atItem }

// IsValue tells whether additionalProperties leads to the node. The location is not the root.
func (p *Location) IsValue() bool { return p.kind == atAdditional }

// Surround puts a value where the location is in the smallest value of top, a location above it or itself: below a key of its name for a
// property, below the key * for additionalProperties, and as the one item of a list for items.
func (p *Location) Surround(top *Location, value any) any {
	for ; p != top; p = p.parent {
		switch p.kind {
		case atItem:
			value = []any{value}
		default:
			value = map[string]any{p.key: value}
		}
	}
	return value
}

// Find returns what is at the location in a value that Surround made; nil if nothing is left there.
func (p *Location) Find(top *Location, value any) any {
	if p == top {
		return value
	}
	switch up := p.parent.Find(top, value).(type) {
	case map[string]any:
		if p.kind != atItem {
			return up[p.key]
		}
	case []any:
		if p.kind == atItem && len(up) > 0 {
			return up[0]
		}
	}
	return nil
}

// ReplaceDefaults returns the schema with each default on the spine replaced by what replace returns for it; nil means none. A node
// comes before those below it, which come in the server's order: additionalProperties, items, properties by name. The schema is not
// changed; if no default is, it is returned itself. The first error ends the work and is returned.
func (s *Schema) ReplaceDefaults(replace func(at *Location, value any) (any, error)) (*Schema, error) {
	r := replacer{builder: newBuilder(), replace: replace}
	return r.node(s, nil)
}

type replacer struct {
	builder *builder
	replace func(at *Location, value any) (any, error)
}

func (r *replacer) node(s *Schema, at *Location) (*Schema, error) {
	if !s.holdsDefaults() {
		return s, nil
	}
	k := s.keywords
	changed := false
	if k.def != nil {
		value, err := r.replace(at, k.def)
		if err != nil {
			return nil, err
		}
		changed = !jsonvalue.Equal(value, k.def)
		k.def = value
	}
	below, err := r.children(&k, at)
	if err != nil {
		return nil, err
	}
	if !changed && !below {
		return s, nil
	}
	return r.builder.intern(&k), nil
}

// holdsDefaults tells whether the node or one below it on the spine has a default.
func (s *Schema) holdsDefaults() bool { return s != nil && (s.def != nil || s.below.defaults) }

func (r *replacer) children(k *keywords, at *Location) (changed bool, err error) {
	if k.additional != nil {
		node, err := r.child(k.additional.Schema, Location{at, k.additional.Schema, atAdditional, "*"})
		if err != nil {
			return false, err
		}
		if node != k.additional.Schema {
			k.additional, changed = &AdditionalProperties{Schema: node, Allows: k.additional.Allows}, true
		}
	}
	items, err := r.child(k.items, Location{at, k.items, atItem, ""})
	if err != nil {
		return false, err
	}
	changed = changed || items != k.items
	k.items = items
	var properties map[string]*Schema // once one of them changes
	for _, name := range k.names {
		declared := k.properties[name]
		node, err := r.child(declared, Location{at, declared, atProperty, name})
		if err != nil {
			return false, err
		}
		if node == declared {
			continue
		}
		if properties == nil {
			properties = maps.Clone(k.properties)
		}
		properties[name] = node
	}
	if properties != nil {
		k.properties, changed = properties, true
	}
	return changed, nil
}

// child is node for one that is not the root; its location is made only if there is a default to be told of.
func (r *replacer) child(s *Schema, at Location) (*Schema, error) {
	if !s.holdsDefaults() {
		return s, nil
	}
	location := at
	return r.node(s, &location)
}
