package live

import (
	"encoding/json"
	"math/rand/v2"
	"regexp"
	"sort"
	"strconv"
	"strings"
)

// maxSampleDepth is the depth below which a sample has only required fields.
const maxSampleDepth = 7

// sampler makes objects from a schema. They are mostly valid: it respects
// types, required fields, enums, bounds and the common formats, but ignores
// junctors and rules.
type sampler struct{ rng *rand.Rand }

// object makes an object of a version.
func (s *sampler) object(r *resource, v version) map[string]any {
	object, ok := s.value(v.schema, 0).(map[string]any)
	if !ok {
		object = map[string]any{}
	}
	object["apiVersion"], object["kind"] = r.group+"/"+v.name, r.kind
	object["metadata"] = map[string]any{"labels": map[string]any{"app": "sample"}}
	return object
}

// value makes a value for a schema.
func (s *sampler) value(schema map[string]any, depth int) any {
	if enum, ok := schema["enum"].([]any); ok && len(enum) > 0 {
		return copyValue(enum[s.rng.IntN(len(enum))])
	}
	if schema["x-kubernetes-int-or-string"] == true {
		if s.rng.IntN(2) == 0 {
			return s.integer(schema)
		}
		return strconv.Itoa(s.rng.IntN(100)) + "%"
	}
	switch text(schema, "type") {
	case "object":
		return s.fields(schema, depth)
	case "array":
		return s.items(schema, depth)
	case "string":
		return s.text(schema)
	case "integer":
		return s.integer(schema)
	case "number":
		return json.Number(strconv.Itoa(s.rng.IntN(20)) + ".5")
	case "boolean":
		return s.rng.IntN(2) == 0
	}
	return map[string]any{
		"anything": json.Number("1"),
		"nested":   map[string]any{"list": []any{"a", nil}},
	}
}

// fields makes an object's fields.
func (s *sampler) fields(schema map[string]any, depth int) map[string]any {
	object := map[string]any{}
	required, _ := schema["required"].([]any)
	needed := map[string]bool{}
	for _, name := range required {
		if name, ok := name.(string); ok {
			needed[name] = true
		}
	}
	properties := child(schema, "properties")
	for _, name := range sortedKeys(properties) {
		property, _ := properties[name].(map[string]any)
		if needed[name] || (depth < maxSampleDepth && s.rng.IntN(10) < 4) {
			object[name] = s.value(property, depth+1)
		}
	}
	if values := child(schema, "additionalProperties"); values != nil && depth < maxSampleDepth {
		for i := range s.rng.IntN(3) {
			object["key"+strconv.Itoa(i)] = s.value(values, depth+1)
		}
	}
	return object
}

// items makes a list.
func (s *sampler) items(schema map[string]any, depth int) []any {
	least, most := bound(schema, "minItems", 0), bound(schema, "maxItems", 3)
	n := least
	if depth < maxSampleDepth {
		n = min(max(least, s.rng.IntN(3)), max(most, least))
	}
	list := make([]any, 0, n)
	for range min(n, 20) {
		list = append(list, s.value(child(schema, "items"), depth+1))
	}
	return list
}

// formats holds one valid value of each common format.
var formats = map[string]string{
	"date-time": "2026-01-02T03:04:05Z", "date": "2026-01-02", "duration": "5m", "byte": "aGVsbG8=", "uri": "https://example.com/a",
	"ipv4": "10.0.0.1", "ipv6": "::1", "cidr": "10.0.0.0/8", "email": "a@example.com", "hostname": "example.com",
	"uuid": "123e4567-e89b-12d3-a456-426614174000",
}

// words are tried against a pattern in turn.
var words = []string{
	"a", "abc", "example", "a-1", "Abc", "ABC", "1", "10", "1.5", "5m", "1h0m0s", "10Mi", "100m", "example.com", "a.example.com", "/path",
	"*.example.com", "example.com/name", "https://example.com", "10.0.0.1", "10.0.0.0/8", "::1", "v1.2.3", "50%", "1.0", "0.5",
}

// text makes a string with the format and, if one of the words matches it, the
// pattern.
func (s *sampler) text(schema map[string]any) string {
	if good, ok := formats[text(schema, "format")]; ok {
		return good
	}
	start := s.rng.IntN(len(words))
	if pattern, err := regexp.Compile(text(schema, "pattern")); err == nil {
		for i := range words {
			if word := words[(start+i)%len(words)]; pattern.MatchString(word) &&
				len(word) >= bound(schema, "minLength", 0) {
				return word
			}
		}
	}
	return words[start] + strings.Repeat("x",
		min(max(bound(schema, "minLength", 0)-len(words[start]), 0), 300))
}

// integer makes an integer within the schema's bounds.
func (s *sampler) integer(schema map[string]any) json.Number {
	least := bound(schema, "minimum", 0)
	most := max(bound(schema, "maximum", least+9), least)
	return json.Number(strconv.Itoa(least + s.rng.IntN(min(most-least, 1000)+1)))
}

// bound returns an integer keyword of a schema, or a fallback.
func bound(schema map[string]any, keyword string, fallback int) int {
	number, _ := schema[keyword].(json.Number)
	if n, err := number.Int64(); err == nil && n > -1e6 && n < 1e6 {
		return int(n)
	}
	return fallback
}

// sortedKeys returns an object's keys in order.
func sortedKeys(object map[string]any) []string {
	keys := make([]string, 0, len(object))
	for key := range object {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	return keys
}

// copyValue returns a deep copy.
func copyValue(value any) any {
	switch value := value.(type) {
	case map[string]any:
		c := make(map[string]any, len(value))
		for key, item := range value {
			c[key] = copyValue(item)
		}
		return c
	case []any:
		c := make([]any, len(value))
		for i, item := range value {
			c[i] = copyValue(item)
		}
		return c
	}
	return value
}
