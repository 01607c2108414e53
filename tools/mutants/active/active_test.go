package active

import (
	"os"
	"path/filepath"
	"testing"
)

// Each function does what the source says, and what the mutant says.
func TestFunctions(t *testing.T) {
	yes, no := func() bool { return true }, func() bool { return false }
	for _, c := range []struct {
		name        string
		do          func() bool
		off, mutant bool
	}{
		{"1 < 1", func() bool { return Less(1, 1, 1) }, false, true},
		{"1 < 2", func() bool { return Less(1, 1, 2) }, true, true},
		{"1 <= 1", func() bool { return AtMost(1, 1, 1) }, true, false},
		{"2 <= 1", func() bool { return AtMost(1, 2, 1) }, false, false},
		{"1 > 1", func() bool { return Greater(1, 1, 1) }, false, true},
		{"2 > 1", func() bool { return Greater(1, 2, 1) }, true, true},
		{"1 >= 1", func() bool { return AtLeast(1, 1, 1) }, true, false},
		{"1 >= 2", func() bool { return AtLeast(1, 1, 2) }, false, false},
		{"true && false", func() bool { return And(1, true, no) }, false, true},
		{"true && true", func() bool { return And(1, true, yes) }, true, true},
		{"false || true", func() bool { return Or(1, false, yes) }, true, false},
		{"5 == 5", func() bool { return Plus(1, 5, 1) == 5 }, true, false},
		{"zero of 5", func() bool { return Zero(1, 5) == 5 }, true, false},
		{"5, 6", func() bool { a, b := Pair(1, 5, 6); return a == 5 && b == 6 }, true, false},
		{"6, 5", func() bool { a, b := Pair(1, 5, 6); return a == 6 && b == 5 }, false, true},
		{"first of two", func() bool { a, b := Two(5, "s").Zero(1, 1); return a == 0 && b == "s" },
			false, true},
		{"second of two", func() bool { a, b := Two(5, "s").Zero(1, 2); return a == 5 && b == "" },
			false, true},
		{"third of three", func() bool {
			a, b, c := Three(5, "s", true).Zero(1, 3)
			return a == 5 && b == "s" && !c
		}, false, true},
		{"0 - 1 == max", func() bool { return Plus[uint8](1, 0, -1) == 255 }, false, true},
	} {
		for id, want := range map[int]bool{None: c.off, 2: c.off, 1: c.mutant} {
			current = id
			if got := c.do(); got != want {
				t.Errorf("%s with mutant %d is %v", c.name, id, got)
			}
		}
	}
	current = None
}

// A mutant that is reached is recorded once.
func TestReached(t *testing.T) {
	reached = filepath.Join(t.TempDir(), "reached")
	for _, id := range []int{7, 8, 7} {
		On(id)
	}
	text, err := os.ReadFile(reached)
	if string(text) != "7\n8\n" || err != nil {
		t.Errorf("%q %v", text, err)
	}
	reached = ""
}
