package check

import (
	"github.com/crdsem/crdsem/celrules/internal/decl"
	"github.com/crdsem/crdsem/internal/base/saturate"
	"github.com/crdsem/crdsem/structural"
)

// cardinality is how many values of a node one object can hold. It is the
// product of the bounds of all lists and maps above the node, e.g. 50 for
// `spec.groups[].ports[]` with `maxItems: 10` and `maxItems: 5`. It is the
// MaxCardinality of the server's CELSchemaContext.
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
	return cardinality{product: saturate.Mul(c.product, children.product)}
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
		return saturate.Mul(cost, n.MaxCardinality())
	}
	return saturate.Mul(cost, c.product)
}

// factors returns the lists and maps above the node, from the root down.
func (n *node) factors() []Factor {
	if n.parent == nil {
		return nil
	}
	above := n.parent.factors()
	s, path := n.parent.schema, n.parent.path.String()
	switch {
	case s.Type() == "array":
		return append(above, Factor{path, "maxItems", s.Values().MaxItems})
	case s.Type() == "object" && s.AdditionalProperties() != nil:
		return append(above, Factor{path, "maxProperties", s.Values().MaxProperties})
	}
	return above
}
