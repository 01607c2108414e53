package definition_test

import (
	"testing"

	"github.com/crdsem/crdsem/internal/app/protocol"
)

func encode(t testing.TB, value any) string {
	t.Helper()
	data, err := protocol.AppendValue(nil, value)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// Generated schemas break the same structural rules on both sides. The variable
// CRDSEM_CASES sets the number of schemas.
func TestGeneratedSchemas(t *testing.T) {
	g := newGenerator(uint64(number(t, "CRDSEM_SEED", 1)), 1)
	n, clean, set := number(t, "CRDSEM_CASES", 5000), 0, 0
	for range n {
		schema := g.schema(3)
		text := encode(t, schema)
		want := realSchema(text)
		switch {
		case len(want.errors) == 0:
			clean++
		case want.errors[0][:6] == "Decode" || want.errors[0][:6] == "Conver":
			set++
		}
		if !sameSchema(text) {
			small := shrink(schema, func(s any) bool { return !sameSchema(encode(t, s)) })
			text = encode(t, small)
			t.Fatal(report(realSchema(text), ourSchema(text), text))
		}
	}
	t.Logf("%d schemas: %d structural, %d that do not decode or convert", n, clean, set)
}

// Generated schemas inside a definition are rejected for the same reasons.
func TestGeneratedDefinitions(t *testing.T) {
	g := newGenerator(uint64(number(t, "CRDSEM_SEED", 1)), 2)
	n, clean, panics := number(t, "CRDSEM_CASES", 5000)/5, 0, 0
	for range n {
		crd := g.definition()
		text := encode(t, crd)
		want := realDefinition(text, "")
		if len(want.errors) == 0 {
			clean++
		}
		if want.isPanic() {
			panics++
			continue
		}
		if !sameDefinition(text, "") {
			small := shrink(crd, func(s any) bool { return !sameDefinition(encode(t, s), "") })
			text = encode(t, small)
			t.Fatal(report(realDefinition(text, ""), ourDefinition(text, ""), text))
		}
	}
	t.Logf("%d definitions: %d valid, %d on which the real code panics", n, clean, panics)
}

// definition makes a definition around one or two generated schemas.
func (g generator) definition() map[string]any {
	version := func(name string, storage bool) map[string]any {
		root := map[string]any{
			"type":       "object",
			"properties": map[string]any{"spec": g.schema(3), pick(g, names...): g.schema(2)},
		}
		for g.oneIn(4) {
			name := pick(g, g.keywords...)
			root[name] = g.values[name](g, 2)
		}
		v := map[string]any{
			"name":    name,
			"served":  true,
			"storage": storage,
			"schema":  map[string]any{"openAPIV3Schema": root},
		}
		if g.oneIn(4) {
			v["subresources"] = map[string]any{"status": map[string]any{}}
		}
		if g.oneIn(4) {
			v["selectableFields"] = []any{
				map[string]any{
					"jsonPath": pick(g, ".spec", ".spec.a", ".spec.a.b", ".metadata.name", "spec",
						".a"),
				},
			}
		}
		return v
	}
	versions := []any{version("v1", true)}
	if g.oneIn(4) {
		versions = append(versions, version("v2", false))
	}
	return map[string]any{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": map[string]any{"name": "foos.example.com"},
		"spec": map[string]any{
			"group": "example.com", "scope": "Namespaced", "names": map[string]any{"plural": "foos", "kind": "Foo"}, "versions": versions,
		},
	}
}

// shrink removes parts of a value while it still fails.
func shrink(value any, fails func(any) bool) any {
	for again := true; again; {
		again = false
		for _, smaller := range smallerOf(value) {
			if fails(smaller) {
				value, again = smaller, true
				break
			}
		}
	}
	return value
}

// smallerOf returns the values with one part less, at any depth.
func smallerOf(value any) (out []any) {
	switch v := value.(type) {
	case map[string]any:
		for key, inner := range v {
			with := func(change func(map[string]any)) any {
				next := make(map[string]any, len(v))
				for k, x := range v {
					next[k] = x
				}
				change(next)
				return next
			}
			out = append(out, with(func(m map[string]any) { delete(m, key) }))
			for _, smaller := range smallerOf(inner) {
				out = append(out, with(func(m map[string]any) { m[key] = smaller }))
			}
		}
	case []any:
		for i, inner := range v {
			out = append(out, append(append([]any{}, v[:i]...), v[i+1:]...))
			for _, smaller := range smallerOf(inner) {
				next := append([]any{}, v...)
				next[i] = smaller
				out = append(out, next)
			}
		}
	}
	return out
}
