package main

import (
	"slices"
	"testing"
)

// Minors with equal counts share a line, which names them.
func TestMinorsOfALine(t *testing.T) {
	all := allMinors()
	c := counts{}
	for _, minor := range all {
		c[minor] = &[unsupported + 1]int{exact: 1}
	}
	if got := c.alike(); len(got) != 1 || ranges(got[0]) != "1.30 to "+all[0] {
		t.Errorf("all minors: %v", got)
	}
	c["1.34"][exact] = 2
	delete(c, "1.31")
	var got []string
	for _, minors := range c.alike() {
		got = append(got, ranges(minors))
	}
	want := []string{"1.35 to " + all[0], "1.34", "1.32 to 1.33, 1.30"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
