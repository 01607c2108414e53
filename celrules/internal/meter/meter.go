// Package meter bounds the memory of one evaluation of an expression.
//
// A [Meter] adds up the bytes of the results of functions that multiply, before
// they are allocated. The sum is an upper bound of what is alive at once. It
// leaves out what the cost limit bounds to about 40 MB: literals, results of
// macros, and results about as long as an argument that is charged by its
// length.
//
// Values that an expression builds can hold the same value many times and take
// no memory for it: `[self.l].map(a, [a, a]).map(b, [b, b])` has four times the
// items of self.l. A meter also stops calls that would visit too many of them.
//
// A call that must not go on panics with [*ExceededError] or with cel-go's
// interpreter.InterruptError. The evaluators recover them.
package meter

import (
	"fmt"
	"iter"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"
	"cel.dev/cel-go/interpreter"

	"github.com/crdsem/crdsem/internal/base/saturate"
)

const (
	// ItemSize is what an item of a list counts: the size of its slot.
	ItemSize = 16
	// DefaultLimit is the limit without an option.
	DefaultLimit uint64 = 64 << 20

	lookInterval = 256 << 10 // bytes between looks at the context
	maxNodes     = 1 << 20   // in a value that a call visits
	maxVisits    = 1 << 24   // of its nodes
)

// Meter counts for one evaluation.
type Meter struct {
	// Limit is the most bytes that the results of functions may have.
	Limit uint64
	// Done is closed when the context of the evaluation ends; nil if it cannot.
	Done <-chan struct{}

	made uint64
	read uint64 // since the last look at the context
}

// ExceededError is the error of an evaluation whose functions would make, or
// read at once, more than the limit allows.
type ExceededError struct{ Limit uint64 }

func (e *ExceededError) Error() string {
	return fmt.Sprintf("operation cancelled: values exceed %d bytes", e.Limit)
}

func (m *Meter) stopIf(exceeded bool) {
	if exceeded {
		panic(&ExceededError{m.Limit})
	}
}

// Make counts the bytes of a result that is about to be made.
func (m *Meter) Make(bytes uint64) {
	m.made = saturate.Add(m.made, bytes)
	m.stopIf(m.made > m.Limit)
	m.Read(bytes)
}

// Read counts bytes that are read, and looks at the context from time to time.
func (m *Meter) Read(bytes uint64) {
	m.read += bytes
	if m.read < lookInterval || m.Done == nil {
		return
	}
	m.read = 0
	select {
	case <-m.Done:
		panic(interpreter.InterruptError{})
	default:
	}
}

// ReadStrings counts the arguments of a call that are strings.
func (m *Meter) ReadStrings(args []ref.Val) {
	for _, arg := range args {
		if s, ok := arg.(types.String); ok {
			m.Read(uint64(len(s)))
		}
	}
}

// Flat is implemented by values of the object itself. However large they are,
// no value is in them twice, so they count as one node.
type Flat interface{ IsFlat() }

// isScalar reports whether a value has no others in it, or counts as one node.
func isScalar(v ref.Val) bool {
	switch v.(type) {
	case types.String, types.Int, types.Bool, types.Double, types.Bytes, types.Null, Flat:
		return true
	}
	return false
}

// Compare stops an evaluation that would compare two values with too many
// nodes, each other or the items of one with the other.
func (m *Meter) Compare(a, b ref.Val) {
	if !isScalar(a) && !isScalar(b) {
		m.visit(a, 1)
		m.visit(b, 1)
	}
}

// visit stops an evaluation that would visit all nodes of a value, so many
// times.
func (m *Meter) visit(v ref.Val, times uint64) {
	left := maxNodes + 1
	m.Count(v, &left)
	nodes := uint64(maxNodes + 1 - left)
	m.stopIf(nodes > maxNodes || nodes*times > maxVisits)
}

// Count takes the number of items and entries in a value, those of nested ones
// too, from left, until nothing is left.
func (m *Meter) Count(v ref.Val, left *int) {
	m.Read(ItemSize)
	*left--
	if _, ok := v.(Flat); ok {
		return
	}
	for _, part := range parts(v) {
		if *left <= 0 {
			return
		}
		m.Count(part, left)
	}
}

// parts returns the items of a list, the keys and values of a map, and the
// content of an optional. Only values of a map have a key.
func parts(v ref.Val) iter.Seq2[ref.Val, ref.Val] {
	return func(yield func(key, part ref.Val) bool) {
		switch v := v.(type) {
		case traits.Lister:
			for it := v.Iterator(); it.HasNext() == types.True && yield(nil, it.Next()); {
			}
		case traits.Mapper:
			for it := v.Iterator(); it.HasNext() == types.True; {
				if key := it.Next(); !yield(key, v.Get(key)) {
					return
				}
			}
		case *types.Optional:
			if v.HasValue() {
				yield(nil, v.GetValue())
			}
		}
	}
}

// sizeOf returns the bytes of a string, or the number of items.
func sizeOf(v ref.Val) uint64 {
	switch v := v.(type) {
	case types.String:
		return uint64(len(v))
	case traits.Sizer:
		size, _ := v.Size().(types.Int)
		return uint64(max(size, 0))
	}
	return 0
}
