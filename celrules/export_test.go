package celrules

import (
	"context"

	"github.com/crdsem/crdsem/celrules/internal/compilation"
	"github.com/crdsem/crdsem/structural"
)

// CompileForCEL is like [Compile], but leaves direct evaluation out.
func CompileForCEL(schema *structural.Schema) *Rules {
	cache := new(structural.Cache)
	compilation.CacheOf(cache).CELOnly = true
	return Compile(schema, structural.InCache(cache))
}

// DirectExpressions counts the rules that compile, and those of them that can
// be evaluated directly.
func (r *Rules) DirectExpressions() (direct, all int) {
	_ = r.Prepare(context.Background())
	return r.cache.compiled.CountDirect()
}
