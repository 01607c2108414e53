package generate

import (
	"testing"

	"github.com/crdsem/crdsem/generate/internal/objectgen"
	"github.com/crdsem/crdsem/generate/schemagen"
	"github.com/crdsem/crdsem/structural"
)

// Names of fields may contain dots and brackets, and may be keys of maps.
func TestFindByErrorPath(t *testing.T) {
	schema, err := structural.Parse([]byte(`
type: object
properties:
  a.b:
    type: array
    items: {type: object, properties: {c: {type: string, title: found}}}
  m:
    type: object
    additionalProperties: {type: object, properties: {x: {type: string, title: found}}}
`))
	if err != nil {
		t.Fatal(err)
	}
	f := repair{
		m:      &objectgen.Maker{Rand: schemagen.NewRand(1)},
		schema: objectgen.NodeOf(schema),
		object: map[string]any{
			"a.b": []any{map[string]any{}, map[string]any{"c": "v"}},
			"m": map[string]any{
				"k.l":  map[string]any{"x": "v"},
				"n[0]": map[string]any{"x": "v"},
			},
		},
	}
	for path, exists := range map[string]bool{
		"a.b[1].c": true, "m.k.l.x": true, "m[k.l].x": true, "m[n[0]].x": true, "a.b[0].c": false,
	} {
		found, ok := f.find(path)
		if !ok || found.exists != exists || found.node.Schema().Title() != "found" ||
			exists && found.value != "v" {
			t.Errorf("%s: %v %+v", path, ok, found)
		}
	}
	if found, ok := f.find("nope.x"); ok {
		t.Errorf("found %+v", found)
	}
}
