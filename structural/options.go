package structural

import (
	"sync"

	"github.com/crdsem/crdsem/internal/belowstructural/crd"
	"github.com/crdsem/crdsem/minors"
)

// Option is a choice for a function that reads, compiles or judges a schema or
// a definition, e.g. Kubernetes("1.33"). [Kubernetes] and [InCache] are for the
// functions of all packages; other packages have more, e.g.
// celrules.WithMemoryLimit. A function ignores options that are not for it. Of
// several of one kind the last one counts. A nil option chooses nothing.
type Option interface{ option() }

// Kubernetes selects the minor of the server, e.g. "1.33". Without this option
// it is the newest one. A minor that package minors does not list is an error
// of functions that decode a definition; for all others it is the newest one.
func Kubernetes(m minors.Minor) Option { return kubernetes(m) }

type kubernetes minors.Minor

func (kubernetes) option() {}

// InCache makes what is read, compiled or judged share its parts with
// everything that uses the same cache. It changes no result.
func InCache(c *Cache) Option { return inCache{c} }

type inCache struct{ cache *Cache }

func (inCache) option() {}

func (allowing) option() {}

// Common returns the choices of [Kubernetes] and [InCache], with zero values
// for those that are not among the options. It is for packages that take
// options.
func Common(options ...Option) (m minors.Minor, c *Cache) {
	for _, o := range options {
		switch o := o.(type) {
		case kubernetes:
			m = minors.Minor(o)
		case inCache:
			c = o.cache
		}
	}
	return m, c
}

// newParse returns what options say of [Parse].
func newParse(options []Option) (p crd.ParseSettings) {
	_, cache := Common(options...)
	p.Cache = cache
	for _, o := range options {
		if o, ok := o.(crd.ParseOption); ok {
			o.ForParse(&p)
		}
	}
	return p
}

// Cache keeps what is read and compiled, for everything that is given the same
// cache: schema nodes, value checks, patterns, enumerations, CEL types,
// environments and programs. Versions of one definition repeat each other, and
// so do definitions of one project. A cache does not change any result, also
// not of other minors. The zero value is ready to use. A Cache is safe for
// concurrent use.
//
// A cache keeps everything made with it alive, including parts of definitions
// that are no longer used, until [Cache.Drop] is called or nothing that was
// made with it is reachable.
type Cache struct {
	mu      sync.Mutex
	builder *builder

	partsMu sync.Mutex
	parts   map[any]CachePart
}

// CachePart is what another package keeps in a [Cache].
type CachePart interface {
	// Drop empties the part, which remains usable.
	Drop()
}

// Part returns what a package keeps in the cache under its key. If there is
// nothing yet, it keeps what create returns. As for context.WithValue, the key
// has a type of its own that the package does not export.
func (c *Cache) Part(key any, create func() CachePart) CachePart {
	c.partsMu.Lock()
	defer c.partsMu.Unlock()
	part, ok := c.parts[key]
	if !ok {
		if c.parts == nil {
			c.parts = map[any]CachePart{}
		}
		part = create()
		c.parts[key] = part
	}
	return part
}

// Drop empties the cache. What was made with it keeps what it uses, and shares
// nothing with what is made later. The cache can still be used.
func (c *Cache) Drop() {
	c.mu.Lock()
	c.builder = nil
	c.mu.Unlock()
	c.partsMu.Lock()
	defer c.partsMu.Unlock()
	for _, part := range c.parts {
		part.Drop()
	}
}
