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
