package normalize

import (
	"strings"

	"github.com/crdsem/crdsem/structural"
)

// pruning is what the walk removes at a place.
type pruning uint8

const (
	normal pruning = iota // what the schema does not specify; without a schema, everything
	skip                  // nothing here, but normal again below known fields
	leave                 // nothing here and below
)

// pruningAt returns the pruning of the root.
func pruningAt(steps Steps) pruning {
	if steps&Prune != 0 {
		return normal
	}
	return leave
}

// within returns the pruning of the fields or items of a node, which may
// preserve unknown fields (PRN-012).
func (p pruning) within(schema *structural.Schema) pruning {
	if p == normal && schema.PreservesUnknownFields() {
		return skip
	}
	return p
}

// below returns the duty below a known field, where pruning restarts (PRN-014).
func (n *node) below() duty {
	d := n.duty
	if d.pruning != leave {
		d.pruning = normal
	}
	return d
}

// prune removes an unknown key. At the top of a value that is not a resource,
// the server does not report apiVersion, kind and metadata (PRN-020).
func (w *walk) prune(e *edit, key string, n *node, at *step) {
	value := e.fields[key]
	delete(e.write(), key)
	if at == nil && n.schema != nil && isMeta(key) {
		return
	}
	object := w.keep(at)
	field := w.below(object, step{key: strings.Clone(key)})
	w.record(structural.Pruned, byPruning, field, object).value = value
}
