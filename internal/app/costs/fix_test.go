package costs

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/minors"
)

// definitionOf returns a definition with a schema of the field spec.
func definitionOf(schema string) string {
	return fmt.Sprintf(`{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
"metadata": {"name": "foos.g.io"}, "spec": {"group": "g.io", "scope": "Cluster",
"names": {"plural": "foos", "kind": "Foo"}, "versions": [{"name": "v1", "served": true,
"storage": true, "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": %s}}}}]}}`, schema)
}

// fixed returns the bounds of the only version of a definition with a schema of
// the field spec.
func fixed(t *testing.T, schema string) ([]Edit, bool) {
	t.Helper()
	crd, _, err := definition.Parse([]byte(definitionOf(schema)))
	if err != nil {
		t.Fatal(err)
	}
	model, err := definition.Compile(crd)
	if err != nil {
		t.Fatal(err)
	}
	edits, ok, err := Fix(t.Context(), model, []minors.Minor{minors.Newest()})
	if err != nil {
		t.Fatal(err)
	}
	return edits[0], ok[0]
}

func TestFix(t *testing.T) {
	const spec = "openAPIV3Schema.properties[spec].properties"
	rule := func(properties, rule string) string {
		return fmt.Sprintf(`{"type": "object", "properties": {%s}, "x-kubernetes-validations": [{"rule": %q}]}`, properties, rule)
	}
	for _, c := range []struct {
		name, schema string
		paths        []string
		fits         bool
	}{
		{"cheap", rule(`"n": {"type": "integer"}`, "self.n > 0"), nil, true},
		{"a list of strings needs both bounds", rule(`"l": {"type": "array", "items": {"type": "string"}}`, "self.l.all(x, self.l.exists(y, y == x))"),
			[]string{spec + "[l]", spec + "[l].items"}, true},
		{"a bound that is too high", rule(`"l": {"type": "array", "maxItems": 9000, "items": {"type": "string", "maxLength": 10}}`, "self.l.all(x, self.l.exists(y, y == x))"),
			[]string{spec + "[l]"}, true},
		{"a rule that does not compile", rule(`"n": {"type": "integer"}`, "self.n >"), nil, false},
	} {
		edits, ok := fixed(t, c.schema)
		var paths []string
		for _, e := range edits {
			paths = append(paths, e.Path)
		}
		if diff := cmp.Diff(c.paths, paths); diff != "" || ok != c.fits {
			t.Errorf("%s: fits %t %+v %s", c.name, ok, edits, diff)
		}
	}
}
