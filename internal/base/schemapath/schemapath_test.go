package schemapath_test

import (
	"runtime"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/base/schemapath"
)

// Strings are those of field paths, in whatever order steps are printed.
func TestString(t *testing.T) {
	for name, path := range map[string]*field.Path{
		"none": nil,
		"one":  field.NewPath("a"),
		"more": field.NewPath("spec", "versions").Index(0),
	} {
		for _, order := range [][]int{{0, 1, 2, 3}, {3, 2, 1, 0}, {2, 3, 0, 2}} {
			root := schemapath.Root(path)
			keyed := root.Keyed("properties", "b")
			indexed := keyed.Indexed("allOf", 12)
			keyword := indexed.Child("items")
			paths := []*schemapath.Path{&root, &keyed, &indexed, &keyword}
			for _, i := range order {
				p := paths[i]
				if got, want := p.At("type"), p.FieldPath().Child("type").String(); got != want {
					t.Errorf("%s %v: got %s, want %s", name, order, got, want)
				}
				if got, want := p.String(), p.FieldPath().String(); got != want {
					t.Errorf("%s %v: got %s, want %s", name, order, got, want)
				}
				if same := p.FieldPath(); same != p.FieldPath() {
					t.Errorf("%s %v: two paths", name, order)
				}
			}
		}
	}
}

// Printing every step of a deep path writes little more than the strings,
// whether the steps are printed from the top or from the bottom.
func TestStringsOfDeepPaths(t *testing.T) {
	const depth = 2000
	for name, index := range map[string]func(i int) int{
		"down": func(i int) int { return i },
		"up":   func(i int) int { return depth - i },
	} {
		size := 0
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		paths := make([]schemapath.Path, depth+1)
		paths[0] = schemapath.Root(field.NewPath("root"))
		for i := range depth {
			paths[i+1] = paths[i].Keyed("properties", "a")
		}
		for i := range depth {
			size += len(paths[index(i)].At("type"))
		}
		runtime.ReadMemStats(&after)
		written, limit := int(after.TotalAlloc-before.TotalAlloc), size+size/4+depth*200
		if written > limit {
			t.Errorf("%s: %d bytes written for strings of %d", name, written, size)
		}
	}
}
