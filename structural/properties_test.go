package structural_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/structural"
)

// TestProperties looks properties up where they are few and where they are so
// many that they have an index.
func TestProperties(t *testing.T) {
	for _, count := range []int{0, 1, 8, 9, 40} {
		var text strings.Builder
		text.WriteString("type: object\nproperties:\n  z: {type: string, title: z}\n")
		want := []string{"z"}
		for i := range count {
			name := fmt.Sprintf("p%02d", i)
			fmt.Fprintf(&text, "  %s: {type: string, title: %s}\n", name, name)
			want = append(want, name)
		}
		slices.Sort(want)
		schema, err := structural.Parse([]byte(text.String()))
		if err != nil {
			t.Fatal(err)
		}
		if got := schema.PropertyNames(); !slices.Equal(got, want) {
			t.Errorf("%d: names %v", count, got)
		}
		for i, name := range want {
			node, at := schema.Property(name), schema.PropertyAt(i)
			if node.Title() != name || at != node || schema.Child(name) != node {
				t.Errorf("%d: %s is %q, by index %q", count, name, node.Title(), at.Title())
			}
		}
		for _, name := range []string{"", "p", "P00", "p99", "zz"} {
			if node := schema.Property(name); node != nil {
				t.Errorf("%d: %q is declared: %q", count, name, node.Title())
			}
		}
	}
	if none := (*structural.Schema)(nil); none.Property("a") != nil || none.PropertyNames() != nil {
		t.Error("no schema declares properties")
	}
}
