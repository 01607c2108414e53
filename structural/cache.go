package structural

import (
	"sync"

	"github.com/crdsem/crdsem/internal/crd"
)

// Cache shares identical nodes between the schemas that are built with it: versions of one definition repeat each other, and so do
// definitions of one project. The zero value is ready to use, and safe for concurrent use. It holds on to the nodes until it is dropped.
type Cache struct {
	mu      sync.Mutex
	builder *builder
}

// Drop forgets the nodes. Schemas that have them are as they were; those to come have nodes of their own.
func (c *Cache) Drop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.builder = nil
}

func (c *Cache) convert(props *crd.JSONSchemaProps, known map[conversion]converted) (*Schema, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.builder == nil {
		c.builder = newBuilder()
	}
	c.builder.converted = known
	defer func() { c.builder.converted = nil }()
	return c.builder.node(props, onSpine)
}
