package allocs

import (
	"fmt"
	"testing"
)

// noted is a test that records its failures.
type noted struct {
	testing.TB
	text string
}

func (n *noted) Helper() {}

func (n *noted) Errorf(format string, args ...any) { n.text = fmt.Sprintf(format, args...) }

var kept [3][]byte

func TestAtMost(t *testing.T) {
	runs := 0
	thrice := func() {
		runs++
		for i := range kept {
			kept[i] = make([]byte, 100)
		}
	}
	for most, want := range map[float64]string{
		0: "thrice: 3 allocations, want at most 0",
		2: "thrice: 3 allocations, want at most 2",
		3: "",
		4: "",
	} {
		if Detecting {
			want = ""
		}
		n := new(noted)
		if AtMost(n, most, "thrice", thrice); n.text != want {
			t.Errorf("at most %v: %q, want %q", most, n.text, want)
		}
	}
	if runs == 0 {
		t.Error("never run")
	}
}

// Allocations at first use, or now and then, do not count.
func TestOnce(t *testing.T) {
	runs := 0
	seldom := func() {
		if runs++; runs == 1 || runs == 10 {
			kept[0] = make([]byte, 100*runs)
		}
	}
	if n := Of(seldom); n != 0 && !Detecting {
		t.Errorf("%v allocations", n)
	}
	AtMost(t, 0, "seldom", func() {
		if runs++; runs%25 == 0 {
			kept[0] = make([]byte, 100)
		}
	})
}
