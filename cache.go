package crdsem

import (
	"github.com/crdsem/crdsem/celrules"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/internal/door"
	"github.com/crdsem/crdsem/structural"
	"github.com/crdsem/crdsem/validation"
)

// Cache shares what is compiled between the definitions that are parsed with it: schema nodes, value checks, patterns and enumerations, CEL types,
// environments and programs. Definitions of one project repeat each other; those of different ones have little in common. It is given to
// [Parse] as an option. The zero value is ready to use, and safe for concurrent use.
//
// Without it, the versions of one definition share what they have in common. It changes no outcome.
//
// A cache holds on to all that was compiled with it, also of definitions that are gone, until nobody has it or [Cache.Drop] is called; the
// definitions that were parsed with it have it.
type Cache struct {
	schemas structural.Cache
	values  validation.Cache
	rules   celrules.Cache
}

func (c *Cache) applyDefinition(d *Definition) { d.cache = c }

// Drop lets go of what the cache shares. Definitions keep what they use of it; the cache can be used further, and starts anew.
func (c *Cache) Drop() {
	c.schemas.Drop()
	c.values.Drop()
	c.rules.Drop()
}

// modelOf compiles the model. A definition that was given no cache has one of its own.
func (d *Definition) modelOf(crd *definition.CRD) (*definition.Model, error) {
	if d.cache != nil {
		return definition.Internal.Export(door.Key).Compile(crd, &d.cache.schemas)
	}
	d.cache, d.ownCache = &Cache{}, true
	return definition.Compile(crd)
}

// compiled is told of each served version when it has been compiled. After the last, nobody needs what the validators had in common any more.
func (d *Definition) compiled() {
	if d.uncompiled.Add(-1) == 0 && d.ownCache {
		d.cache.values.Drop()
	}
}
