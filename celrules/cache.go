package celrules

import (
	"sync"

	"github.com/crdsem/crdsem/celrules/internal/compilation"
)

// Cache holds what was compiled, so that nodes that look the same to an
// expression share its compiled form. One cache may serve all versions of a
// CRD. The zero value is an empty cache. It is safe for concurrent use. It
// keeps everything compiled with it alive until [Cache.Drop].
type Cache struct {
	compiled compilation.Cache

	planning sync.Mutex
	plans    map[planKey]*plan // nil: no rule at or below
}

// Drop empties the cache. [Rules] that were compiled before remain usable.
func (c *Cache) Drop() {
	c.compiled.Drop()
	c.planning.Lock()
	defer c.planning.Unlock()
	c.plans = nil
}
