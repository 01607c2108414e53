package structural

import (
	"sync"

	"github.com/crdsem/crdsem/internal/apiextensions"
)

// Cache shares identical nodes between the schemas that are built with it: versions of one definition repeat each other, and so do
// definitions of one project. The zero value is ready to use, and safe for concurrent use. It holds on to the nodes until it is dropped.
type Cache struct {
	mu      sync.Mutex
	builder *builder
}

// New is the function New with the cache's nodes.
func (c *Cache) New(props *apiextensions.JSONSchemaProps) (*Schema, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.builder == nil {
		c.builder = newBuilder()
	}
	return c.builder.node(props, onSpine)
}

// Drop forgets the nodes. Schemas that have them are as they were; those to come have nodes of their own.
func (c *Cache) Drop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.builder = nil
}

// Converts tells whether [New] makes a schema of a decoded one, at much less cost than doing so.
func Converts(p *apiextensions.JSONSchemaProps) bool {
	if p == nil {
		return true
	}
	if unsupported(p) != nil || p.XPreserveUnknownFields != nil && !*p.XPreserveUnknownFields ||
		p.Items != nil && (len(p.Items.JSONSchemas) > 0 || !Converts(p.Items.Schema)) ||
		p.AdditionalProperties != nil && !Converts(p.AdditionalProperties.Schema) || !Converts(p.Not) {
		return false
	}
	for _, property := range p.Properties {
		if !Converts(property) {
			return false
		}
	}
	return allConvert(p.AllOf) && allConvert(p.AnyOf) && allConvert(p.OneOf)
}

func allConvert(branches []*apiextensions.JSONSchemaProps) bool {
	for _, branch := range branches {
		if !Converts(branch) {
			return false
		}
	}
	return true
}

// Converter is New for the schemas of one document and schemas inside of them: those that it was asked for, and those with rules, are
// converted once however often they are asked for. The zero value is ready to use, by one goroutine.
type Converter struct{ builder *builder }

// New is the function New, which says the same again for the same argument.
func (c *Converter) New(props *apiextensions.JSONSchemaProps) (*Schema, error) {
	if c.builder == nil {
		c.builder = newBuilder()
		c.builder.converted = map[*apiextensions.JSONSchemaProps]conversion{}
	}
	if known, ok := c.builder.converted[props]; ok {
		return known.schema, known.err
	}
	schema, err := c.builder.node(props, onSpine)
	c.builder.converted[props] = conversion{schema, err}
	return schema, err
}
