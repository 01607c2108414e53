package meter

import (
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
)

// Lists and maps that an expression builds can hold the same value many times:
// `[self.l].map(a, [a, a]).map(b, [b, b])` has four times the items of self.l
// and takes no memory for them. A function that goes through all of them takes
// time that doubles with each step.

const (
	// maxNodes is the number of nodes that one call may go through once.
	maxNodes = 1 << 20
	// maxVisits is the number of nodes that one call may go through in all.
	maxVisits = 1 << 24
)

// Flat is implemented by values of the object itself. However large they are,
// no value is in them twice, so they count as one node.
type Flat interface{ IsFlat() }

// Nodes counts the items and entries in a value, those of nested ones too. It
// stops counting after limit.
func Nodes(v ref.Val, limit int) int {
	return nodesOf(nil, v, limit)
}

func nodesOf(m *Meter, v ref.Val, limit int) int {
	n := counter{left: limit, meter: m}
	n.count(v)
	return limit - max(n.left, 0)
}

// counter counts down.
type counter struct {
	left  int
	meter *Meter
}

// count returns false once nothing is left.
func (n *counter) count(v ref.Val) bool {
	n.meter.Read(ItemSize)
	if n.left--; n.left < 0 {
		return false
	}
	switch v := v.(type) {
	case Flat:
		return true
	case traits.Lister:
		if size, _ := v.Size().(types.Int); int(size) > n.left {
			n.left = 0
			return false
		}
		for it := v.Iterator(); it.HasNext() == types.True; {
			if !n.count(it.Next()) {
				return false
			}
		}
	case traits.Mapper:
		for it := v.Iterator(); it.HasNext() == types.True; {
			if !n.count(v.Get(it.Next())) {
				return false
			}
		}
	case *types.Optional:
		return !v.HasValue() || n.count(v.GetValue())
	}
	return true
}

// Compare stops an evaluation that would compare two values with too many
// nodes. A comparison goes through the smaller one at most.
func (m *Meter) Compare(a, b ref.Val) {
	if m == nil || IsScalar(a) || IsScalar(b) {
		return
	}
	if m.nodes(a) > maxNodes && m.nodes(b) > maxNodes {
		panic(&ExceededError{m.Limit})
	}
}

// Search stops an evaluation that would look so many values up in a list and
// compare too many nodes in all. value is one of the values.
func (m *Meter) Search(list, value ref.Val, values int) {
	if m == nil {
		return
	}
	nodes := m.nodes(list)
	if l, ok := list.(traits.Lister); ok {
		size, _ := l.Size().(types.Int)
		nodes = min(nodes, int(size)*m.nodes(value))
	}
	if nodes > maxNodes || values > maxVisits/(nodes+1) {
		panic(&ExceededError{m.Limit})
	}
}

// Traverse stops an evaluation that would go through too many nodes.
func (m *Meter) Traverse(v ref.Val) {
	if m != nil && m.nodes(v) > maxNodes {
		panic(&ExceededError{m.Limit})
	}
}

func (m *Meter) nodes(v ref.Val) int {
	if IsScalar(v) {
		return 1
	}
	return nodesOf(m, v, maxNodes+1)
}

// IsScalar reports whether a value has no others in it.
func IsScalar(v ref.Val) bool {
	switch v.(type) {
	case types.String, types.Int, types.Bool, types.Double, types.Bytes, types.Null, Flat:
		return true
	}
	return false
}
