package structural

import (
	"slices"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
)

// AsEmbeddedResource returns a copy of s whose root is an embedded resource. A
// nil schema counts as an empty one.
func AsEmbeddedResource(s *Schema) *Schema {
	if s.EmbeddedResource() {
		return s
	}
	k := s.orEmpty().keywords
	k.embedded = true
	return &Schema{keywords: k, below: summarize(&k), defaulted: defaultedNames(&k)}
}

// rebuilt returns the node that replaces a child; see [Cache.Rebuild].
type rebuilt = func(s *Schema, keyword, name string) (*Schema, error)

// Rebuild returns a copy of spine node s with another default, nil for none,
// and with the children that the function child returns for its own. If nothing
// changes it returns s itself. The node comes from the cache.
//
// The keyword leads to a child, and name is the property's. Children come in
// the server's order: additionalProperties, items, then the properties by name.
// The first error of child ends the work and is returned.
func (c *Cache) Rebuild(
	s *Schema, value any, child func(s *Schema, keyword, name string) (*Schema, error),
) (*Schema, error) {
	k := s.orEmpty().keywords
	changed := !jsonvalue.Equal(value, k.def)
	k.def = value
	below, err := k.replaceChildren(child)
	if err != nil {
		return nil, err
	}
	if !changed && !below {
		return s, nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.nodes().intern(&k), nil
}

// replaceChildren reports whether a child was replaced.
func (k *keywords) replaceChildren(child rebuilt) (changed bool, err error) {
	if a := k.additional; a != nil && a.Schema != nil {
		node, err := child(a.Schema, "additionalProperties", "")
		if err != nil {
			return false, err
		}
		if node != a.Schema {
			k.additional, changed = &AdditionalProperties{Schema: node, Allows: a.Allows}, true
		}
	}
	if k.items != nil {
		node, err := child(k.items, "items", "")
		if err != nil {
			return false, err
		}
		changed = changed || node != k.items
		k.items = node
	}
	below, err := k.replaceProperties(child)
	return changed || below, err
}

func (k *keywords) replaceProperties(child rebuilt) (changed bool, err error) {
	if k.properties == nil {
		return false, nil
	}
	shared := k.properties
	nodes := slices.Clone(shared.nodes)
	for i, name := range shared.names {
		if nodes[i], err = child(shared.nodes[i], "properties", name); err != nil {
			return false, err
		}
		changed = changed || nodes[i] != shared.nodes[i]
	}
	if changed {
		k.properties = newProperties(shared.names, nodes)
	}
	return changed, nil
}
