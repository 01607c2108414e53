package structural

import "github.com/crdsem/crdsem/internal/belowstructural/crd"

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
