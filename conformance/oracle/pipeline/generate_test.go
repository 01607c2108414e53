// Package pipeline_test compares prune, defaulting and the facade with the real
// code.
package pipeline_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
)

// generator makes schemas and objects with the features that decoding looks at:
// properties, additionalProperties in all forms, items, preserved fields,
// embedded resources, nullable and defaults. Equal seeds make equal cases.
type generator struct{ *rand.Rand }

func newGenerator(seed uint64) generator {
	return generator{rand.New(rand.NewPCG(seed, 2026))}
}

var names = []string{
	"a",
	"b",
	"c",
	"metadata",
	"kind",
	"apiVersion",
	"*",
	"x.y",
	"",
	"status",
	"spec",
}

func (g generator) name() string { return names[g.IntN(len(names))] }

func (g generator) one(in int) bool { return g.IntN(in) == 0 }

// schema makes a schema node. Some are not valid structural schemas, because
// the code under test takes any.
func (g generator) schema(depth int) map[string]any {
	s := map[string]any{}
	kind := g.IntN(6)
	if depth == 0 {
		kind = 2 + g.IntN(4)
	}
	switch kind {
	case 0, 1:
		s["type"] = "object"
		g.object(s, depth)
	case 2:
		if depth > 0 {
			s["type"] = "array"
			if !g.one(5) {
				s["items"] = g.schema(depth - 1)
			}
		}
	case 3:
		s["type"] = "string"
	case 4:
		s["x-kubernetes-int-or-string"] = true
	case 5:
		if g.one(2) {
			s["type"] = "integer"
		}
	}
	if g.one(5) {
		s["nullable"] = true
	}
	if g.one(6) {
		s["x-kubernetes-preserve-unknown-fields"] = true
	}
	if g.one(6) {
		s["x-kubernetes-embedded-resource"] = true
	}
	if g.one(3) {
		s["default"] = g.value(s, depth)
	}
	return s
}

func (g generator) object(s map[string]any, depth int) {
	if !g.one(6) {
		properties := map[string]any{}
		for range 1 + g.IntN(4) {
			properties[g.name()] = g.schema(depth - 1)
		}
		s["properties"] = properties
	}
	switch g.IntN(6) {
	case 0, 1:
		s["additionalProperties"] = g.schema(depth - 1)
	case 2:
		s["additionalProperties"] = g.one(2)
	}
}

// value makes a value that follows a schema often enough to get deep, and
// violates it often enough.
func (g generator) value(s map[string]any, depth int) any {
	if s == nil || g.one(8) {
		return g.any(depth)
	}
	if g.one(7) {
		return nil
	}
	_, hasProperties := s["properties"]
	_, hasAdditional := s["additionalProperties"]
	switch {
	case s["type"] == "array":
		items, _ := s["items"].(map[string]any)
		list := []any{}
		for range g.IntN(4) {
			list = append(list, g.value(items, depth-1))
		}
		return list
	case hasProperties || hasAdditional || s["type"] == "object" ||
		s["x-kubernetes-embedded-resource"] == true:
		return g.fields(s, depth)
	default:
		return g.scalar()
	}
}

func (g generator) fields(s map[string]any, depth int) map[string]any {
	out := map[string]any{}
	properties, _ := s["properties"].(map[string]any)
	additional, _ := s["additionalProperties"].(map[string]any)
	for _, name := range jsonvalue.SortedKeys(properties) { // equal seeds must make equal cases
		if g.IntN(4) > 0 {
			out[name] = g.value(properties[name].(map[string]any), depth-1)
		}
	}
	for range g.IntN(3) {
		name := g.name()
		if _, done := out[name]; !done {
			out[name] = g.value(additional, depth-1)
		}
	}
	if s["x-kubernetes-embedded-resource"] == true {
		g.resource(out)
	}
	return out
}

// resource sets the type and the metadata of an object, mostly valid ones.
func (g generator) resource(out map[string]any) {
	if !g.one(4) {
		out["apiVersion"] = "v1"
	}
	if !g.one(4) {
		out["kind"] = "Pod"
	}
	if !g.one(4) {
		out["metadata"] = g.metadata()
	}
}

func (g generator) metadata() any {
	if g.one(20) {
		return g.any(1)
	}
	m := map[string]any{"name": "n" + strconv.Itoa(g.IntN(10))}
	for range g.IntN(3) {
		key := []string{
			"labels", "annotations", "finalizers", "generation", "junk", "creationTimestamp",
			"ownerReferences", "uid",
		}[g.IntN(8)]
		switch {
		case g.one(6):
			m[key] = g.any(2)
		case key == "labels" || key == "annotations":
			m[key] = map[string]any{"a": "b", "c": []any{"", "d", "!", nil}[g.IntN(4)]}
		case key == "generation":
			m[key] = []any{int64(g.IntN(3)), 2.0}[g.IntN(2)]
		case key == "junk" || key == "uid":
			m[key] = "u"
		case key == "creationTimestamp":
			m[key] = []any{nil, "2020-01-01T01:00:00+01:00"}[g.IntN(2)]
		default:
			m[key] = []any{}
		}
	}
	return m
}

func (g generator) any(depth int) any {
	if depth <= 0 || g.one(2) {
		return g.scalar()
	}
	if g.one(3) {
		list := []any{}
		for range g.IntN(3) {
			list = append(list, g.any(depth-1))
		}
		return list
	}
	out := map[string]any{}
	for range g.IntN(4) {
		out[g.name()] = g.any(depth - 1)
	}
	return out
}

func (g generator) scalar() any {
	switch g.IntN(7) {
	case 0:
		return nil
	case 1:
		return g.one(2)
	case 2:
		return int64(g.IntN(20) - 5)
	case 3:
		return float64(g.IntN(20)) / 4
	case 4:
		return ""
	case 5:
		return "2020-01-01T01:00:00+01:00"
	default:
		return fmt.Sprintf("s%d", g.IntN(20))
	}
}
