package structural

import (
	"sync"

	"github.com/crdsem/crdsem/internal/belowstructural/crd"
)

// Cache shares identical nodes between the schemas that are built with it.
// Versions of one definition repeat each other, and so do definitions of one
// project. The zero value is ready to use. A Cache is safe for concurrent use.
// It keeps all its nodes alive until Drop is called.
type Cache struct {
	mu      sync.Mutex
	builder *builder
}

// Drop forgets the nodes. Existing schemas keep theirs; schemas that are built
// later share none with them.
func (c *Cache) Drop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.builder = nil
}

// convert builds the node of a decoded schema. known has the results of earlier
// calls for the same document.
func (c *Cache) convert(
	props *crd.JSONSchemaProps, known map[conversion]converted,
) (*Schema, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	b := c.nodes()
	b.converted = known
	defer func() { b.converted = nil }()
	return b.node(props, onSpine)
}

// nodes returns the builder; c.mu is held.
func (c *Cache) nodes() *builder {
	if c.builder == nil {
		c.builder = newBuilder()
	}
	return c.builder
}
