// Package meter bounds the memory of one evaluation of an expression, and lets
// its context end it while functions do long work.
//
// A [Meter] adds up the bytes of the results that functions make: 1 for each
// byte of a string, [ItemSize] for each item of a list. Each result is counted
// before it is allocated, so `self.a.replace('x', self.a)` never asks for more
// than the bound. The sum counts results that are garbage by now too. It is
// therefore an upper bound of what is alive at once, whatever an expression
// keeps: nested macros cannot hold more than one sum allows.
//
// Not counted is what the cost limit bounds by itself: lists and maps that
// literals and macros build, and results that are not longer than an argument
// that is charged by its length. At the server's limit of 1,000,000 these are
// at most about 30 MB.
//
// A call that must not go on panics with [*ExceededError] or with cel-go's
// interpreter.InterruptError. The evaluators recover them.
package meter

import (
	"fmt"

	"github.com/google/cel-go/interpreter"

	"github.com/crdsem/crdsem/internal/base/saturate"
)

const (
	// ItemSize is what an item of a list counts: the size of its slot.
	ItemSize = 16
	// DefaultLimit is the limit without an option.
	DefaultLimit uint64 = 64 << 20
)

// lookInterval is how many bytes are read between looks at the context.
const lookInterval = 256 << 10

// Meter counts for one evaluation. A nil meter counts nothing.
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

// Error returns the text that findings show.
func (e *ExceededError) Error() string {
	return fmt.Sprintf("operation cancelled: values exceed %d bytes", e.Limit)
}

// Make counts the bytes of a result that is about to be made.
func (m *Meter) Make(bytes uint64) {
	if m == nil {
		return
	}
	m.made = saturate.Add(m.made, bytes)
	if m.made > m.Limit {
		panic(&ExceededError{m.Limit})
	}
	m.Read(bytes)
}

// MakeItems counts the items of a list that is about to be made.
func (m *Meter) MakeItems(items uint64) { m.Make(saturate.Mul(items, ItemSize)) }

// Fits stops the evaluation if a list of so many items would be over the limit.
// It counts nothing.
func (m *Meter) Fits(items uint64) {
	if m != nil && saturate.Mul(items, ItemSize) > m.Limit {
		panic(&ExceededError{m.Limit})
	}
}

// Left returns how many bytes may still be made.
func (m *Meter) Left() uint64 {
	if m == nil {
		return DefaultLimit
	}
	return m.Limit - min(m.made, m.Limit)
}

// Read counts bytes that a function reads, and looks at the context from time
// to time.
func (m *Meter) Read(bytes uint64) {
	if m == nil {
		return
	}
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
