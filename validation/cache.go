package validation

import (
	"sync"

	"github.com/crdsem/crdsem/structural"
)

// Option is a choice made when a schema is compiled.
type Option func(*choices)

// InCache shares what is compiled with all that use the same cache.
func InCache(cache *Cache) Option { return func(c *choices) { c.cache = cache } }

type choices struct{ cache *Cache }

func newChoices(options []Option) choices {
	var c choices
	for _, o := range options {
		if o != nil {
			o(&c)
		}
	}
	if c.cache == nil {
		c.cache = new(Cache)
	}
	return c
}

// Cache holds what was compiled: a schema node that comes again, and one that restricts values as another does, is compiled once. The zero value
// is ready to use, and safe for concurrent use. It is of most use with schemas that share nodes (structural.Cache), and holds on to what it
// shares until it is dropped.
type Cache struct {
	mu        sync.Mutex
	compilers [2]*compiler // by purpose
}

// Drop forgets what was compiled. Validators that have it are as they were; those to come have their own.
func (c *Cache) Drop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.compilers = [2]*compiler{}
}

// purpose is what a schema is compiled for.
type purpose uint8

const (
	ofObjects purpose = iota
	ofDefaults
)

func (c choices) compile(schema *structural.Schema, of purpose) *Validator {
	c.cache.mu.Lock()
	defer c.cache.mu.Unlock()
	compiler := c.cache.compilers[of]
	if compiler == nil {
		compiler = newCompiler(of)
		c.cache.compilers[of] = compiler
	}
	return compiler.validator(schema)
}

func newCompiler(of purpose) *compiler { return &compiler{reexported: of == ofDefaults} }

func (c *compiler) validator(schema *structural.Schema) *Validator {
	v := &Validator{schema: schema, indexes: &indexes{}}
	v.values = c.node(schema, onSpine)
	if status := schema.Property("status"); status != nil {
		v.status = c.node(status, onSpine)
	}
	v.listTypes = c.listTypesOf(schema)
	v.embedded = c.embeddedOf(schema)
	return v
}
