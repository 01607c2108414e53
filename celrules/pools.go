package celrules

import (
	"sync"

	"github.com/crdsem/crdsem/celrules/internal/decl"
)

// Pooled values are cleared when they are given back, so that they keep nothing of an object alive.
var variablesPool = sync.Pool{New: func() any { return new(variables) }}

func newVariables(raw any, node *decl.Node) *variables {
	v := variablesPool.Get().(*variables)
	v.raw, v.node = raw, node
	return v
}

func (v *variables) release() {
	*v = variables{}
	variablesPool.Put(v)
}
