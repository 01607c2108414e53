// Package active switches mutants on. Command mutants writes calls of it into
// copies of the sources, e.g. active.Less(7, a, b) in place of a < b. Each call
// does what the source says, unless its mutant is the active one.
//
// The environment variable CRDSEM_MUTANT has the number of the active mutant.
// If CRDSEM_REACHED names a file, the number of each mutant that is reached is
// appended to it, once.
package active

import (
	"cmp"
	"fmt"
	"os"
	"strconv"
	"sync/atomic"
)

// None is the number of no mutant.
const None = 0

var (
	current = number(os.Getenv("CRDSEM_MUTANT"))
	reached = os.Getenv("CRDSEM_REACHED")
	seen    [1 << 20]atomic.Bool
)

func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return None
	}
	return n
}

// On reports whether the mutant is the active one.
func On(id int) bool {
	if reached != "" && !seen[id].Load() {
		record(id)
	}
	return id == current
}

// record appends the number to the file, once. A number that cannot be written
// is lost, and its mutant then counts as not reached.
func record(id int) {
	if seen[id].Swap(true) {
		return
	}
	f, err := os.OpenFile(reached, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return
	}
	defer f.Close()
	fmt.Fprintln(f, id)
}

// Less is a < b, and a <= b in the mutant.
func Less[T cmp.Ordered](id int, a, b T) bool { return a < b || On(id) && a == b }

// AtMost is a <= b, and a < b in the mutant.
func AtMost[T cmp.Ordered](id int, a, b T) bool { return a < b || !On(id) && a == b }

// Greater is a > b, and a >= b in the mutant.
func Greater[T cmp.Ordered](id int, a, b T) bool { return a > b || On(id) && a == b }

// AtLeast is a >= b, and a > b in the mutant.
func AtLeast[T cmp.Ordered](id int, a, b T) bool { return a > b || !On(id) && a == b }

// And is a && b, and a || b in the mutant.
func And(id int, a bool, b func() bool) bool {
	if On(id) {
		return a || b()
	}
	return a && b()
}

// Or is a || b, and a && b in the mutant.
func Or(id int, a bool, b func() bool) bool {
	if On(id) {
		return a && b()
	}
	return a || b()
}

// Integer is the constraint of numbers that mutants increment.
type Integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 |
		~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

// Plus is v, and v + delta in the mutant. The sum wraps around.
func Plus[T Integer](id int, v T, delta int) T {
	if On(id) {
		return v + T(delta)
	}
	return v
}

// Zero is v, and the zero value in the mutant.
func Zero[T any](id int, v T) T {
	if On(id) {
		return *new(T)
	}
	return v
}

// Pair is a, b, and b, a in the mutant.
func Pair[T any](id int, a, b T) (T, T) {
	if On(id) {
		return b, a
	}
	return a, b
}

// Results2 are the results of a function that another one returns.
type Results2[A, B any] struct {
	a A
	b B
}

// Two returns its arguments as results.
func Two[A, B any](a A, b B) Results2[A, B] { return Results2[A, B]{a, b} }

// Zero returns the results. In the mutant the one of this number is its zero
// value.
func (r Results2[A, B]) Zero(id, which int) (A, B) {
	return Zero(only(id, which == 1), r.a), Zero(only(id, which == 2), r.b)
}

// Results3 are the results of a function that another one returns.
type Results3[A, B, C any] struct {
	a A
	b B
	c C
}

// Three returns its arguments as results.
func Three[A, B, C any](a A, b B, c C) Results3[A, B, C] { return Results3[A, B, C]{a, b, c} }

// Zero returns the results. In the mutant the one of this number is its zero
// value.
func (r Results3[A, B, C]) Zero(id, which int) (A, B, C) {
	return Zero(only(id, which == 1), r.a), Zero(only(id, which == 2), r.b),
		Zero(only(id, which == 3), r.c)
}

// unused is the number of a mutant that is never active.
const unused = len(seen) - 1

// only returns the number if the condition holds, and that of no mutant
// otherwise.
func only(id int, holds bool) int {
	if holds {
		return id
	}
	return unused
}
