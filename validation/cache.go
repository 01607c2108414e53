package validation

import (
	"sync"
	"sync/atomic"

	"github.com/crdsem/crdsem/internal/belowstructural/profile"
	"github.com/crdsem/crdsem/minors"
	"github.com/crdsem/crdsem/structural"
)

// Option is an option of [Compile]. Of several of one kind the last one counts.
type Option func(*choices)

// InCache makes Compile share the parts of validators with all that use the
// same cache.
func InCache(cache *Cache) Option { return func(c *choices) { c.cache = cache } }

// Kubernetes selects the minor whose server validates. Without this option it
// is the newest one.
func Kubernetes(m minors.Minor) Option {
	return func(c *choices) { c.profile = profile.Named(string(m)) }
}

// OfDefaults makes Compile return the validator that the server uses for a
// default when the CustomResourceDefinition is written. The schema is the node
// that has the default; its value is validated with [Validator.Values]. The
// validator differs from that of objects (DEF-052, DEF-053):
//
//   - x-kubernetes-int-or-string gives no type,
//   - formats that are not supported are kept,
//   - additionalProperties in a branch is lost.
func OfDefaults() Option { return func(c *choices) { c.purpose = ofDefaults } }

type choices struct {
	cache   *Cache
	purpose purpose
	profile *profile.Profile
}

func newChoices(options []Option) choices {
	c := choices{profile: profile.Latest()}
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

// Cache holds compiled parts of validators: each schema node is compiled once,
// and so are nodes that restrict values alike. The zero value is ready to use.
// A Cache is safe for concurrent use.
//
// A cache helps most with schemas that share nodes (structural.Cache). It keeps
// everything compiled with it alive until Drop is called. Of regular
// expressions that take much more memory than their text, e.g. a{1000}, it
// keeps 64 MiB; the others are compiled whenever a string is matched.
type Cache struct {
	mu        sync.Mutex
	compilers [2]*compiler // by purpose
}

// Drop empties the cache. Validators that were compiled with it keep their
// parts; validators compiled later share none with them.
func (c *Cache) Drop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.compilers = [2]*compiler{}
}

// purpose is what a schema is compiled for: to validate objects or defaults.
type purpose uint8

const (
	ofObjects purpose = iota
	ofDefaults
)

func (c choices) compile(schema *structural.Schema) *Validator {
	c.cache.mu.Lock()
	defer c.cache.mu.Unlock()
	compiler := c.cache.compilers[c.purpose]
	if compiler == nil {
		compiler = newCompiler(c.purpose)
		c.cache.compilers[c.purpose] = compiler
	}
	compiler.profile = c.profile
	return compiler.validator(schema)
}

func newCompiler(of purpose) *compiler {
	c := &compiler{reexported: of == ofDefaults, patternRoom: new(atomic.Int64)}
	c.patternRoom.Store(patternRoom)
	return c
}

func (c *compiler) validator(schema *structural.Schema) *Validator {
	v := &Validator{schema: schema, profile: c.profile, indexes: &indexes{}}
	v.values = c.node(schema, onSpine)
	if status := schema.Property("status"); status != nil {
		v.status = c.node(status, onSpine)
	}
	v.listTypes = c.listTypesOf(schema)
	v.embedded = c.embeddedOf(schema)
	return v
}
