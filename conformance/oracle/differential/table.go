package differential

import (
	"context"
	"math/rand/v2"

	"github.com/crdsem/crdsem/internal/app/protocol"
	"github.com/crdsem/crdsem/kit/generate"
)

// table makes cases of a definition whose columns read objects of a few fields,
// of real objects if there are any.
func (s *sources) table(_ context.Context, r *rand.Rand) (Case, bool) {
	d, ok := s.definition(r, generate.DefinitionConfig{})
	if !ok || len(d.Versions) == 0 {
		return Case{}, false
	}
	v := d.Versions[r.IntN(len(d.Versions))]
	objects := []any{}
	for range r.IntN(4) {
		if len(d.Objects) > 0 {
			objects = append(objects, d.Objects[r.IntN(len(d.Objects))])
		} else {
			objects = append(objects, cells(r))
		}
	}
	crd := d.Object
	if len(d.Objects) == 0 {
		crd = withColumns(r, v.Name)
	}
	return Case{Op: protocol.OpTable, Inputs: map[string]any{
		"crd": crd, "version": v.Name, "objects": objects, "now": "2026-07-01T12:00:00Z",
	}}, true
}

// paths are JSONPaths whose first result is not random, or seldom.
var paths = []any{
	".spec.v", ".spec.list[0]", ".spec.list[*]", ".spec.list[?(@.a==1)].b", ".spec.list[-1:].a",
	".metadata.name", ".metadata.creationTimestamp", ".spec.map['a.b']", ".spec.map.a\\.b", ".none",
	".spec.list[5]", ".spec.list[?(@.b)]", ".spec.v} {.none", ".spec[", ".",
}

func withColumns(r *rand.Rand, version string) map[string]any {
	columns := []any{}
	for range r.IntN(5) {
		columns = append(columns, map[string]any{
			"name": "C", "jsonPath": paths[r.IntN(len(paths))],
			"type":     []any{"string", "integer", "number", "boolean", "date", "date"}[r.IntN(6)],
			"priority": int64(r.IntN(2)),
		})
	}
	return definitionOf(map[string]any{
		"name": version, "schema": openAPI(map[string]any{"type": "object"}),
		"additionalPrinterColumns": columns,
	})
}

func openAPI(schema map[string]any) map[string]any {
	return map[string]any{"openAPIV3Schema": schema}
}

// definitionOf returns a definition of one version, which is served and stored.
func definitionOf(version map[string]any) map[string]any {
	version["served"], version["storage"] = true, true
	return map[string]any{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
		"metadata": map[string]any{"name": "foos.example.com"},
		"spec": map[string]any{
			"group": "example.com", "scope": "Namespaced",
			"names":    map[string]any{"plural": "foos", "kind": "Foo"},
			"versions": []any{version},
		},
	}
}

// cells is an object whose fields have values for cells.
func cells(r *rand.Rand) map[string]any {
	value := func() any {
		values := []any{
			nil, true, int64(3), int64(-1), 2.5, 1e21, "", "x", "a\nb", "null", "2026-06-01T00:00:00Z",
			"2026-07-01T11:59:30+02:00", "2026-07-01T12:00:01.5Z", "2030-01-01T00:00:00Z", "0001-01-01T00:00:00Z",
			[]any{int64(1), "<"}, map[string]any{"b": 1.0, "a": nil},
		}
		return values[r.IntN(len(values))]
	}
	list := []any{}
	for range r.IntN(3) {
		list = append(list, map[string]any{"a": value(), "b": value()})
	}
	return map[string]any{
		"metadata": map[string]any{"name": "n", "creationTimestamp": value()},
		"spec": map[string]any{
			"v": value(), "list": list, "map": map[string]any{"a.b": value()},
		},
	}
}
