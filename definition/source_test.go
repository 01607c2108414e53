package definition_test

import (
	"testing"

	"github.com/crdsem/crdsem/definition"
)

const sourceText = `metadata:
  name: a
spec:
  group: g.io
  versions:
  - name: v1
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec.x[0]:
            type: string
          spec:
            default:
              l: [{a: 1}]
`

func TestSourcePosition(t *testing.T) {
	s, err := definition.NewSource([]byte(sourceText))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		field        string
		line, column int
	}{
		{"metadata.name", 2, 3},
		{"metadata.labels", 1, 1},
		{"spec.versions[0].name", 6, 5},
		{"spec.version", 6, 5},
		{"spec.versions[3]", 5, 3},
		{"spec.validation.openAPIV3Schema.type", 9, 9},
		{"spec.versions[0].schema.openAPIV3Schema.properties[spec.x[0]].type", 12, 13},
		{"spec.versions[0].schema.openAPIV3Schema.properties[spec].default.l.[0].a", 15, 20},
		{"spec.versions[0].schema.openAPIV3Schema.properties[spec].type", 13, 11},
		{"", 1, 1},
	} {
		at, ok := s.Position(c.field)
		if want := (definition.Position{Line: c.line, Column: c.column}); !ok || at != want {
			t.Errorf("Position(%q) = %v, %v; want %v", c.field, at, ok, want)
		}
	}
	if empty, err := definition.NewSource(nil); err != nil {
		t.Error(err)
	} else if _, ok := empty.Position("spec"); ok {
		t.Error("an empty text has a position")
	}
}
