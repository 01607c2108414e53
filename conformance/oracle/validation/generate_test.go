package validation_test

import (
	"math/rand/v2"
)

// generator makes schemas, objects that mostly fit them, and changed copies of
// objects.
type generator struct{ *rand.Rand }

func (g generator) chance(percent int) bool { return g.IntN(100) < percent }

func pick[T any](g generator, values ...T) T { return values[g.IntN(len(values))] }

var names = []string{
	"a",
	"b",
	"c",
	"k",
	"l",
	"d-e",
	"x.y",
	"kind",
	"apiVersion",
	"metadata",
	"",
	"name",
}

func (g generator) name() string { return pick(g, names...) }

// spine makes a structural-schema node.
func (g generator) spine(depth int) map[string]any {
	s := map[string]any{}
	if g.chance(1) {
		return map[string]any{
			"type":   pick(g, "null", "file", "Object"),
			"format": pick(g, formats...),
		}
	}
	kind := pick(g, "string", "integer", "number", "boolean", "array", "object", "object", "object",
		"intOrString", "")
	if depth <= 0 && (kind == "array" || kind == "object") {
		kind = "string"
	}
	switch kind {
	case "intOrString":
		s["x-kubernetes-int-or-string"] = true
	case "":
		s["x-kubernetes-preserve-unknown-fields"] = true
	default:
		s["type"] = kind
	}
	if g.chance(20) {
		s["nullable"] = true
	}
	g.keywords(s, kind)
	switch kind {
	case "array":
		s["items"] = g.spine(depth - 1)
		g.listType(s)
	case "object":
		g.children(s, depth, g.spine)
		if g.chance(8) {
			s["x-kubernetes-embedded-resource"] = true
		}
	}
	g.junctors(s, depth)
	return s
}

func (g generator) root() map[string]any {
	s := map[string]any{"type": "object"}
	properties := map[string]any{"spec": g.spine(3)}
	if g.chance(60) {
		properties["status"] = g.spine(3)
	}
	if g.chance(10) {
		properties[pick(g, "kind", "apiVersion", "x.y", "")] = g.spine(1)
	}
	s["properties"] = properties
	if g.chance(10) {
		s["required"] = []any{g.name(), "spec"}
	}
	if g.chance(10) {
		g.junctors(s, 2)
	}
	return s
}

func (g generator) listType(s map[string]any) {
	switch g.IntN(5) {
	case 0:
		s["x-kubernetes-list-type"] = "set"
	case 1, 2:
		s["x-kubernetes-list-type"] = "map"
		keys := []any{"k"}
		if g.chance(40) {
			keys = append(keys, "l")
		}
		s["x-kubernetes-list-map-keys"] = keys
		properties := map[string]any{"k": g.scalarSchema(), "l": g.scalarSchema(), "a": g.spine(1)}
		s["items"] = map[string]any{"type": "object", "properties": properties}
	case 3:
		s["x-kubernetes-list-type"] = "atomic"
	}
}

func (g generator) scalarSchema() map[string]any {
	s := map[string]any{"type": pick(g, "string", "integer", "number", "boolean")}
	if g.chance(20) {
		g.keywords(s, s["type"].(string))
	}
	return s
}

func (g generator) children(s map[string]any, depth int, child func(int) map[string]any) {
	if g.chance(75) {
		properties := map[string]any{}
		for range 1 + g.IntN(4) {
			properties[g.name()] = child(depth - 1)
		}
		s["properties"] = properties
	}
	switch g.IntN(8) {
	case 0:
		s["additionalProperties"] = g.chance(50)
	case 1, 2:
		s["additionalProperties"] = child(depth - 1)
	}
}

var (
	patterns = []string{"^a", "b$", "^[a-z]+$", "(", ".", `\d`, "^$", "a|b"}
	formats  = []string{
		"date", "date-time", "datetime", "d-a-t-e", "int32", "int64", "float", "double", "ipv4", "ipv6", "cidr", "mac", "uuid", "uuid3", "uuid4", "uuid5",
		"byte", "password", "duration", "email", "hostname", "host-name", "uri", "isbn", "isbn10", "isbn13", "creditcard", "ssn", "hexcolor", "rgbcolor",
		"bsonobjectid", "k8s-short-name", "k8sshortname", "k8s-long-name", "binary", "ip", "UUID", "uri-reference", "float32", "-",
	}
	bounds = []float64{
		0, 1, 2, 3, 5, 10, 100, -1, -2, 1.5, 3.5, -1.5, 2.5, 0.5, 0.1, 1e19, -1e19, 9007199254740993, 2147483648, -2147483649, 3e38, 3.5e38, 1e300, 1e-9,
	}
	integers = []int64{
		-2, -1, 0, 1, 2, 3, 4, 5, 7, 10, 97, 55, 2147483647, 2147483648, -2147483648, -2147483649, 9007199254740993, 9223372036854775807,
		-9223372036854775808, 4611686018427388000, 4611686018427387904, 0x10FFFF, 0x110000, 0xD800,
	}
	floats = []float64{
		0, 1, 1.5, 2.5, 3, 5, -1, -1.5, 0.1, 0.3, 1.0000000001, 1.00000001, 1e18, 1e20, 1e21, 9007199254740992, 9007199254740991, 4611686018427388000,
		3.4028235677973366e38, 3.4028234663852886e38, 3.5e38, 1e300, 9223372036854775808, -9223372036854775808, 9223372036854774784, 1e-7, 123456789.125,
	}
	strs = []string{
		"", "a", "b", "ab", "abc", "7", "1", "á", "日本語", "a\nb", "<b>&", "\"q\"", "2020-01-02", "2020-13-02", "2020-01-02T03:04:05Z", "2020-01-02T03:04:05.5+07:00",
		"2020-01-02t03:04:05z", "2020-01-02T24:04:05Z", "1.2.3.4", "01.02.03.04", "::1", "::ffff:1.2.3.4", "fe80::1%eth0", "10.0.0.0/8", "::/0", "10.0.0.0/024",
		"00:11:22:33:44:55", "0123.4567.89ab", "0123456789ab", "550e8400-e29b-41d4-a716-446655440000", "550e8400e29b41d4a716446655440000", "550E8400-e29b-31d4-a716-446655440000",
		"YWJj", "YWI=", "YQ==", "YQ=", "Y===", "1h", "1.5h", "+5s", "abc 1s", "P1D", "1 month", "10", "99999999999999999999 s", "a@b", "a.b@c.de", "Name <a@b.c>", "a@b, c@d",
		"example.com", "my-host", "a-bcd", "a.b", "-a.com", "xn--p1ai.рф", "http://example.com/a", "http://a b", "/a", "a/b", "*", "https://e.x/%zz", "0321751043", "978-0321751041",
		"4111 1111 1111 1111", "123-45-6789", "123 45-6789", "123456789", "#fff", "abcdef", "rgb(1, 2,255)", "rgb(01,2,3)", "0123456789abcdef01234567", "a.b-c", "A", "1s", "0", "\ufffd",
	}
)

func (g generator) keywords(s map[string]any, kind string) {
	if g.chance(50) {
		return
	}
	if g.chance(25) {
		s["format"] = pick(g, formats...)
	}
	if kind == "string" && g.chance(50) {
		s["format"] = pick(g, formats...)
	}
	if kind == "integer" && g.chance(20) || kind == "number" && g.chance(20) {
		s["format"] = pick(g, "int32", "int64", "float", "double")
	}
	if g.chance(15) {
		s["pattern"] = pick(g, patterns...)
	}
	for _, name := range []string{"minimum", "maximum", "multipleOf"} {
		if kind == "integer" && g.chance(30) || kind == "number" && g.chance(30) || g.chance(7) {
			s[name] = pick(g, bounds...)
		}
	}
	for _, name := range []string{"exclusiveMinimum", "exclusiveMaximum", "uniqueItems"} {
		if g.chance(12) {
			s[name] = true
		}
	}
	for _, name := range []string{
		"minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties",
	} {
		if g.chance(10) {
			s[name] = pick[int64](g, 0, 1, 2, 3)
		}
	}
	if g.chance(12) {
		s["required"] = []any{g.name(), g.name()}
	}
	if g.chance(12) {
		enum := []any{}
		for range 1 + g.IntN(12) {
			enum = append(enum, g.anything(1))
		}
		s["enum"] = enum
	}
}

func (g generator) junctors(s map[string]any, depth int) {
	if depth < 0 || g.chance(70) {
		return
	}
	for _, name := range []string{"anyOf", "oneOf", "allOf"} {
		if g.chance(30) {
			branches := []any{}
			for range 1 + g.IntN(3) {
				branches = append(branches, g.branch(depth-1))
			}
			s[name] = branches
		}
	}
	if g.chance(12) {
		s["not"] = g.branch(depth - 1)
	}
}

// branch makes a node of a junctor, with more types than structural schemas
// allow there.
func (g generator) branch(depth int) map[string]any {
	s := map[string]any{}
	kind := ""
	if g.chance(35) {
		kind = pick(g, "string", "integer", "number", "boolean", "array", "object")
		s["type"] = kind
	}
	if g.chance(4) {
		s["x-kubernetes-int-or-string"] = true
	}
	g.keywords(s, kind)
	if depth > 0 {
		if g.chance(20) {
			s["items"] = g.branch(depth - 1)
		}
		if g.chance(40) {
			g.children(s, depth, g.branch)
		}
	}
	g.junctors(s, depth-1)
	return s
}

// anything makes a value of any kind.
func (g generator) anything(depth int) any {
	n := 8
	if depth <= 0 {
		n = 5
	}
	switch g.IntN(n) {
	case 0:
		return nil
	case 1:
		return g.chance(50)
	case 2:
		return pick(g, integers...)
	case 3:
		return pick(g, floats...)
	case 4, 5:
		return pick(g, strs...)
	case 6:
		list := []any{}
		for range g.IntN(4) {
			list = append(list, g.anything(depth-1))
		}
		return list
	default:
		object := map[string]any{}
		for range g.IntN(4) {
			object[g.name()] = g.anything(depth - 1)
		}
		return object
	}
}

// value makes a value for a schema node.
func (g generator) value(s map[string]any) any {
	if s == nil || g.chance(7) {
		return g.anything(2)
	}
	if enum, ok := s["enum"].([]any); ok && g.chance(70) {
		return deepCopy(pick(g, enum...))
	}
	kind, _ := s["type"].(string)
	if kind == "" {
		switch {
		case s["properties"] != nil || s["additionalProperties"] != nil:
			kind = "object"
		case s["items"] != nil:
			kind = "array"
		}
	}
	switch kind {
	case "string":
		return pick(g, strs...)
	case "integer":
		return pick(g, integers...)
	case "number":
		if g.chance(50) {
			return pick(g, integers...)
		}
		return pick(g, floats...)
	case "boolean":
		return g.chance(50)
	case "array":
		return g.list(s)
	case "object":
		return g.object(s)
	}
	if s["x-kubernetes-int-or-string"] == true {
		return pick[any](g, pick(g, integers...), pick(g, strs...), pick(g, floats...))
	}
	return g.anything(2)
}

func (g generator) list(s map[string]any) any {
	items, _ := s["items"].(map[string]any)
	list := []any{}
	n := g.IntN(5)
	if g.chance(5) {
		n = 20
	}
	for range n {
		list = append(list, g.value(items))
	}
	if len(list) > 0 && g.chance(15) {
		list = append(list, deepCopy(list[0]))
	}
	return list
}

func (g generator) object(s map[string]any) map[string]any {
	object := map[string]any{}
	properties, _ := s["properties"].(map[string]any)
	for _, name := range sortedKeys(properties) {
		if g.chance(70) {
			object[name] = g.value(properties[name].(map[string]any))
		}
	}
	additional, _ := s["additionalProperties"].(map[string]any)
	if additional != nil || g.chance(15) {
		for range g.IntN(3) {
			object[g.name()] = g.value(additional)
		}
	}
	if s["x-kubernetes-embedded-resource"] == true && g.chance(80) {
		object["apiVersion"], object["kind"] = "v1", pick(g, "Pod", "pod_", "")
		object["metadata"] = map[string]any{
			"name":   pick(g, "a", "..", "A/b"),
			"labels": map[string]any{"a": pick(g, "b", "-")},
		}
	}
	return object
}

// changed returns a copy that differs in a few places.
func (g generator) changed(value any, percent int) any {
	if g.chance(percent) {
		return g.anything(1)
	}
	switch v := value.(type) {
	case map[string]any:
		out := map[string]any{}
		for _, name := range sortedKeys(v) {
			if !g.chance(percent / 2) {
				out[name] = g.changed(v[name], percent)
			}
		}
		if g.chance(percent / 2) {
			out[g.name()] = g.anything(1)
		}
		return out
	case []any:
		out := []any{}
		for _, item := range v {
			if !g.chance(percent / 2) {
				out = append(out, g.changed(item, percent))
			}
		}
		if g.chance(percent) {
			g.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
		}
		return out
	default:
		return value
	}
}
