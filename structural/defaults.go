package structural

import "github.com/crdsem/crdsem/internal/unstructured"

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
	kind   locationKind
	key    string
}

type locationKind uint8

const (
	atProperty locationKind = iota
	atAdditional
	atItem
)

// Surround puts a value where the location is in the smallest value of the root: below a key of its name for a property, below the key
// * for additionalProperties, and as the one item of a list for items.
func (p *Location) Surround(value any) any {
	for ; p != nil; p = p.parent {
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
func (p *Location) Find(root any) any {
	if p == nil {
		return root
	}
	switch up := p.parent.Find(root).(type) {
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
	if s == nil || (s.def == nil && !s.below.defaults) {
		return s, nil
	}
	k := s.keywords
	changed := false
	if k.def != nil {
		value, err := r.replace(at, k.def)
		if err != nil {
			return nil, err
		}
		changed = !unstructured.Equal(value, k.def)
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

func (r *replacer) children(k *keywords, at *Location) (changed bool, err error) {
	if k.additional != nil {
		node, err := r.node(k.additional.Schema, &Location{at, atAdditional, "*"})
		if err != nil {
			return false, err
		}
		if node != k.additional.Schema {
			k.additional, changed = &AdditionalProperties{Schema: node, Allows: k.additional.Allows}, true
		}
	}
	items, err := r.node(k.items, &Location{at, atItem, ""})
	if err != nil {
		return false, err
	}
	changed = changed || items != k.items
	k.items = items
	properties := make(map[string]*Schema, len(k.properties))
	for _, name := range k.names {
		node, err := r.node(k.properties[name], &Location{at, atProperty, name})
		if err != nil {
			return false, err
		}
		changed = changed || node != k.properties[name]
		properties[name] = node
	}
	if k.properties != nil {
		k.properties = properties
	}
	return changed, nil
}
