package definition_test

import (
	"math/rand/v2"
)

// generator makes schemas with a mixture of right and wrong keywords.
type generator struct {
	*rand.Rand
	keywords []string
	values   map[string]func(g generator, depth int) any
}

func newGenerator(seed, stream uint64) generator {
	return generator{rand.New(rand.NewPCG(seed, stream)), keywords(), keywordValues()}
}

func pick[T any](g generator, from ...T) T { return from[g.IntN(len(from))] }

func (g generator) oneIn(n int) bool { return g.IntN(n) == 0 }

var names = []string{
	"a",
	"b",
	"spec",
	"metadata",
	"kind",
	"apiVersion",
	"name",
	"generateName",
	"status",
	"x-y",
	"",
}

// schema makes a node. The deeper the node, the fewer nodes it has below.
func (g generator) schema(depth int) map[string]any {
	s := map[string]any{}
	if !g.oneIn(12) {
		s["type"] = pick(g, "object", "object", "array", "string", "integer", "number", "boolean",
			"string")
	}
	if g.oneIn(60) {
		s["type"] = pick[any](g, "null", "bogus", "", []any{"string"}, int64(1))
	}
	if depth > 0 {
		g.structure(s, depth-1)
	}
	for g.oneIn(3) {
		name := pick(g, g.keywords...)
		s[name] = g.values[name](g, depth)
	}
	return s
}

func (g generator) structure(s map[string]any, depth int) {
	switch s["type"] {
	case "object":
		if g.oneIn(6) {
			s["additionalProperties"] = g.schemaOrBool(depth)
			if !g.oneIn(4) {
				return
			}
		}
		properties := map[string]any{}
		for range g.IntN(4) {
			properties[pick(g, names...)] = g.schema(depth)
		}
		s["properties"] = properties
	case "array":
		if !g.oneIn(10) {
			s["items"] = g.schema(depth)
		}
	}
	if g.oneIn(6) {
		g.junctor(s, depth)
	}
}

func (g generator) schemaOrBool(depth int) any {
	return pick[any](g, true, false, nil, g.schema(depth), g.schema(depth))
}

func (g generator) junctor(s map[string]any, depth int) {
	branch := func() map[string]any {
		b := g.schema(depth)
		if !g.oneIn(4) {
			delete(b, "type")
			delete(b, "default")
			delete(b, "description")
		}
		return b
	}
	if g.oneIn(4) {
		s["not"] = branch()
		return
	}
	var branches []any
	for range 1 + g.IntN(2) {
		branches = append(branches, branch())
	}
	if g.oneIn(3) {
		branches = []any{map[string]any{"type": "integer"}, map[string]any{"type": "string"}}
	}
	if g.oneIn(5) {
		branches = []any{map[string]any{"anyOf": branches}}
	}
	s[pick(g, "anyOf", "allOf", "oneOf")] = branches
}

func (g generator) value(depth int) any {
	switch g.IntN(9) {
	case 0:
		return nil
	case 1:
		return g.oneIn(2)
	case 2:
		return int64(g.IntN(5))
	case 3:
		return float64(g.IntN(5)) + 0.5
	case 4, 5:
		return pick(g, "", "a", "v1", "metadata", "2020-01-01T00:00:00Z", "x y", "<&>")
	case 6:
		if depth <= 0 {
			return []any{}
		}
		return []any{g.value(depth - 1), g.value(depth - 1)}
	default:
		object := map[string]any{}
		for range g.IntN(3) {
			object[pick(g, append(names, "labels")...)] = g.value(depth - 1)
			if depth <= 0 {
				break
			}
		}
		return object
	}
}
