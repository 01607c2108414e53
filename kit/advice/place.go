package advice

import (
	"slices"
	"strconv"
	"strings"

	"github.com/crdsem/crdsem/internal/base/fieldpath"
	"github.com/crdsem/crdsem/internal/base/schemapath"
	"github.com/crdsem/crdsem/structural"
)

// place is a value in an object, and what is known about it.
type place struct {
	value  any
	found  bool // the object has the value
	schema *structural.Schema

	key    string // the last key of the path, e.g. "replicas"
	holder any    // the value that holds the key
	above  *structural.Schema
}

// locate finds the value of an error's field, e.g. "spec.ports[1].name". The
// path of an absent key ends at the value that lacks it.
func locate(object any, schema *structural.Schema, path string) place {
	at := place{value: object, found: object != nil, schema: schema}
	path = strings.TrimPrefix(path, "<nil>")
	for path = strings.TrimPrefix(path, "."); path != ""; path = strings.TrimPrefix(path, ".") {
		if !at.found {
			at.key = path
			return at
		}
		path = at.step(path)
	}
	return at
}

// step follows the first segment of a path, and returns the rest.
func (p *place) step(path string) (rest string) {
	p.holder, p.above = p.value, p.schema
	switch holder := p.value.(type) {
	case []any:
		index, rest := indexOf(path)
		p.key, p.schema = "", p.above.Items()
		if p.found = index >= 0 && index < len(holder); p.found {
			p.value = holder[index]
		}
		return rest
	case map[string]any:
		p.key, rest = keyOf(path, func(name string) bool {
			_, given := holder[name]
			return given || p.above.Property(name) != nil
		})
		p.value, p.found = holder[p.key]
		p.schema = p.above.Child(p.key)
		return rest
	}
	p.value, p.found, p.schema, p.key = nil, false, nil, path
	return ""
}

// indexOf reads an index at the start of a path, e.g. [2], or returns -1.
func indexOf(path string) (index int, rest string) {
	inner, rest, ok := strings.Cut(strings.TrimPrefix(path, "["), "]")
	index, err := strconv.Atoi(inner)
	if !ok || err != nil {
		return -1, ""
	}
	return index, rest
}

// keyOf returns the longest known name that a path starts with, in brackets or
// not, and the rest of the path. If there is no such name, the key ends at the
// next dot or bracket.
func keyOf(path string, known func(name string) bool) (key, rest string) {
	found := false
	for name, after := range fieldpath.Keys(path) {
		if known(name) { // longer than those before it
			key, rest, found = name, after, true
		}
	}
	if found {
		return key, rest
	}
	return fieldpath.First(path)
}

// step is one step on the way through the document of a definition.
type step struct {
	key    string
	holder any    // the value that holds the key
	value  any    // nil if the document lacks it
	rest   string // of the path
}

// follow returns the steps to an error's field in the document of a
// definition.
func follow(document map[string]any, path string) []step {
	asWritten, asV1 := trailOf(document, path), trailOf(document, schemapath.V1(path))
	if len(asV1) > len(asWritten) {
		return asV1
	}
	return asWritten
}

func trailOf(document map[string]any, path string) []step {
	var trail []step
	var value any = document
	for path = strings.TrimPrefix(path, "."); path != ""; path = strings.TrimPrefix(path, ".") {
		s := step{holder: value}
		switch holder := value.(type) {
		case map[string]any:
			s.key, s.rest = keyOf(path, func(name string) bool {
				_, given := holder[name]
				return given
			})
			s.value = holder[s.key]
		case []any:
			index, rest := indexOf(path)
			if index < 0 || index >= len(holder) {
				return trail
			}
			s.key, s.value, s.rest = strconv.Itoa(index), holder[index], rest
		default:
			return trail
		}
		trail = append(trail, s)
		value, path = s.value, s.rest
	}
	return trail
}

// lastKey is the last key of the error's field, e.g. "type".
func (f *finding) lastKey() string {
	if len(f.trail) == 0 {
		return f.err.Field
	}
	return f.trail[len(f.trail)-1].key
}

// node is the schema node in the document that the error is about, e.g.
// {"type": "string", "pattern": "("} for a pattern. It may be nil.
func (f *finding) node() map[string]any {
	for _, s := range slices.Backward(f.trail) {
		if m, ok := s.holder.(map[string]any); ok && isKeyword(s.key) {
			return m
		}
	}
	return nil
}

// isKeyword reports whether a key of a schema node has no nodes below it.
func isKeyword(key string) bool {
	switch key {
	case "properties", "items", "additionalProperties", "allOf", "anyOf", "oneOf", "not":
		return false
	}
	return slices.Contains(schemaKeywords, key)
}

// placeInDefault finds the value of an error in a default, e.g. of
// "openAPIV3Schema.properties[min].default". The schema is that of the node.
func (f *finding) placeInDefault() place {
	for i, s := range f.trail {
		node, ok := s.holder.(map[string]any)
		if !ok || s.key != "default" || i > 0 && f.trail[i-1].key == "properties" {
			continue
		}
		if schema := f.schemaOf(node); schema != nil {
			return locate(s.value, schema, s.rest)
		}
		return place{}
	}
	return place{}
}

// schemaOf returns the schema of a node of the document, which is built once.
// It is nil if the node is no schema.
func (f *finding) schemaOf(node map[string]any) *structural.Schema {
	key, e := keyOfMap("schema", node), f.effort
	schema, known := e.schemas[key]
	if !known {
		schema, _ = structural.FromMap(node)
		if e.schemas == nil {
			e.schemas = map[cacheKey]*structural.Schema{}
		}
		e.schemas[key] = schema
	}
	return schema
}
