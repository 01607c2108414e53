package validation

import (
	"sync"
	"sync/atomic"

	"github.com/crdsem/crdsem/internal/belowstructural/profile"
	"github.com/crdsem/crdsem/structural"
)

// OfDefaults makes [Compile] return the validator that the server uses for a
// default when the CustomResourceDefinition is written. The schema is the node
// that has the default; its value is validated with [Validator.Values]. The
// validator differs from that of objects (DEF-052, DEF-053):
//
//   - x-kubernetes-int-or-string gives no type,
//   - formats that are not supported are kept,
//   - additionalProperties in a branch is lost.
func OfDefaults() structural.Option { return purposeOption{purpose: ofDefaults} }

// purposeOption is the option of [OfDefaults]. The interface, which is nil,
// makes it one.
type purposeOption struct {
	structural.Option
	purpose purpose
}

type choices struct {
	cache   *cache
	purpose purpose
	profile *profile.Profile
}

func newChoices(options []structural.Option) choices {
	minor, shared := structural.Common(options...)
	c := choices{profile: profile.Named(string(minor)), cache: newCache(shared)}
	for _, o := range options {
		if o, ok := o.(purposeOption); ok {
			c.purpose = o.purpose
		}
	}
	return c
}

// cache holds compiled parts of validators: each schema node is compiled once,
// and so are nodes that restrict values alike. It helps most with schemas that
// share nodes. Of regular expressions that take much more memory than their
// text, e.g. a{1000}, it keeps 64 MiB; the others are compiled whenever a
// string is matched.
type cache struct {
	mu        sync.Mutex
	compilers [2]*compiler // by purpose
}

// cacheKey is the key of the part in a [structural.Cache].
type cacheKey struct{}

// newCache returns the part of a shared cache, or a new one if that is nil.
func newCache(shared *structural.Cache) *cache {
	own := new(cache)
	if shared == nil {
		return own
	}
	part := shared.Part(cacheKey{}, func() structural.CachePart { return own })
	if kept, ok := part.(*cache); ok {
		return kept
	}
	return own
}

// Drop empties the cache. Validators that were compiled with it keep their
// parts; validators compiled later share none with them.
func (c *cache) Drop() {
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
