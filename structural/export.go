package structural

import (
	"slices"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/chapter/crd"
	"github.com/crdsem/crdsem/internal/chapter/door"
)

// Internal is for the packages of this module only; it is outside of the
// compatibility promise.
var Internal exporter

type exporter struct{}

// Export returns the functions that packages of this module share.
func (exporter) Export(*door.NotForPublicUse) export { return export{} }

type export struct{}

// New builds the model of a decoded schema; nil gives nil. It fails with the
// first *ConversionError that the server would meet (STR-020).
func (export) New(props *crd.JSONSchemaProps) (*Schema, error) {
	return export{}.Converter(nil)(props)
}

// Converter returns a function that is like New but builds each decoded schema
// only once, e.g. for all versions of a definition. Its nodes come from the
// cache; nil stands for a new cache. Only one goroutine at a time may call it.
func (export) Converter(c *Cache) func(*crd.JSONSchemaProps) (*Schema, error) {
	if c == nil {
		c = &Cache{}
	}
	known := map[conversion]converted{}
	return func(props *crd.JSONSchemaProps) (*Schema, error) { return c.convert(props, known) }
}

// Rules builds the model of decoded rules; nil gives nil.
func (export) Rules(in []crd.ValidationRule) []Rule { return rulesOf(in) }

// AsEmbeddedResource returns a copy of s whose root is an embedded resource.
// A nil schema counts as an empty one.
func (export) AsEmbeddedResource(s *Schema) *Schema {
	if s.EmbeddedResource() {
		return s
	}
	k := s.orEmpty().keywords
	k.embedded = true
	return &Schema{keywords: k, below: summarize(&k), defaulted: defaultedNames(&k)}
}

// Rebuilder returns a function that changes the defaults of spine nodes. It
// returns a copy of node s with another default and with the children that the
// function child returns for its own. If nothing changes it returns s itself.
// Children come in the server's order: additionalProperties, items, then the
// properties by name. The first error of child ends the work.
//
// The keyword leads to a child, and name is the property's. Copies with the
// same content are one value. One goroutine at a time may call the function.
func (export) Rebuilder() func(s *Schema, value any, child rebuildChild) (*Schema, error) {
	b := newBuilder()
	return func(s *Schema, value any, child rebuildChild) (*Schema, error) {
		return b.rebuild(s, value, child)
	}
}

type rebuildChild = func(s *Schema, keyword, name string) (*Schema, error)

func (b *builder) rebuild(s *Schema, value any, child rebuildChild) (*Schema, error) {
	k := s.keywords
	changed := !jsonvalue.Equal(value, k.def)
	k.def = value
	below, err := k.replaceChildren(child)
	if err != nil {
		return nil, err
	}
	if !changed && !below {
		return s, nil
	}
	return b.intern(&k), nil
}

// replaceChildren reports whether a child was replaced.
func (k *keywords) replaceChildren(child rebuildChild) (changed bool, err error) {
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

func (k *keywords) replaceProperties(child rebuildChild) (changed bool, err error) {
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
