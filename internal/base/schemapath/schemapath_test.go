package schemapath_test

import (
	"runtime"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/base/schemapath"
)

// Texts are those of the paths, in whatever order they are asked for.
func TestText(t *testing.T) {
	for name, path := range map[string]*field.Path{"none": nil, "one": field.NewPath("a"), "more": field.NewPath("spec", "versions").Index(0)} {
		for _, order := range [][]int{{0, 1, 2, 3}, {3, 2, 1, 0}, {2, 3, 0, 2}} {
			root := schemapath.Root(path)
			keyed := root.Keyed("properties", "b")
			indexed := keyed.Indexed("allOf", 12)
			keyword := indexed.Child("items")
			places := []*schemapath.Place{&root, &keyed, &indexed, &keyword}
			for _, i := range order {
				p := places[i]
				if got, want := p.At("type"), p.Path().Child("type").String(); got != want {
					t.Errorf("%s %v: got %s, want %s", name, order, got, want)
				}
				if got, want := p.Text(), p.Path().String(); got != want {
					t.Errorf("%s %v: got %s, want %s", name, order, got, want)
				}
			}
		}
	}
}

// What is written of deep places is about what they say, however deep those above are, and whether they are asked before or after those below.
func TestTextsOfDeepPlaces(t *testing.T) {
	const depth = 2000
	for name, index := range map[string]func(i int) int{"down": func(i int) int { return i }, "up": func(i int) int { return depth - i }} {
		said := 0
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		places := make([]schemapath.Place, depth+1)
		places[0] = schemapath.Root(field.NewPath("root"))
		for i := range depth {
			places[i+1] = places[i].Keyed("properties", "a")
		}
		for i := range depth {
			said += len(places[index(i)].At("type"))
		}
		runtime.ReadMemStats(&after)
		if written, limit := int(after.TotalAlloc-before.TotalAlloc), said+said/4+depth*200; written > limit {
			t.Errorf("%s: %d bytes for texts of %d", name, written, said)
		}
	}
}
