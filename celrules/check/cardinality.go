package check

import (
	"math"
	"math/bits"

	"github.com/crdsem/crdsem/celrules/internal/decl"
	"github.com/crdsem/crdsem/structural"
)

// cardinality is how many values of a node one object can hold. It is the
// product of the bounds of all lists and maps above the node, e.g. 50 for
// `spec.groups[].ports[]` with `maxItems: 10` and `maxItems: 5`.
type cardinality struct {
	product   uint64
	unbounded bool
}

// times returns the cardinality of children, of which each value of a node has
// a given number (COST-014).
func (c cardinality) times(children cardinality) cardinality {
	if c.unbounded || children.unbounded {
		return cardinality{unbounded: true}
	}
	return cardinality{product: saturatingMul(c.product, children.product)}
}

// elements returns the maximum number of children of a value: of items, of map
// values, or of each property.
func elements(s *structural.Schema) cardinality {
	limit := s.Values().MaxItems
	switch {
	case s.Type() == "array":
	case s.Type() == "object" && s.AdditionalProperties() != nil:
		limit = s.Values().MaxProperties
	default:
		return cardinality{product: 1}
	}
	if limit == nil {
		return cardinality{unbounded: true}
	}
	return cardinality{product: uint64(max(*limit, 0))}
}

// charge returns the cost of an expression for all values of a node. If there
// is no bound, the number of values that fit into one request counts.
func (c cardinality) charge(cost uint64, n *decl.Node) uint64 {
	if c.unbounded {
		return saturatingMul(cost, n.MaxCardinality())
	}
	return saturatingMul(cost, c.product)
}

// factors returns the lists and maps above the node, from the root down.
func (n *node) factors() []Factor {
	if n.parent == nil {
		return nil
	}
	above := n.parent.factors()
	s := n.parent.schema
	switch {
	case s.Type() == "array":
		return append(above, Factor{n.parent.path.String(), "maxItems", s.Values().MaxItems})
	case s.Type() == "object" && s.AdditionalProperties() != nil:
		return append(above, Factor{n.parent.path.String(), "maxProperties", s.Values().MaxProperties})
	}
	return above
}

// saturatingMul multiplies. The result is at most 2^64-1, as for the server.
func saturatingMul(a, b uint64) uint64 {
	if high, low := bits.Mul64(a, b); high == 0 {
		return low
	}
	return math.MaxUint64
}

// saturatingAdd adds. The result is at most 2^64-1, as for the server.
func saturatingAdd(a, b uint64) uint64 {
	if sum, carry := bits.Add64(a, b, 0); carry == 0 {
		return sum
	}
	return math.MaxUint64
}
