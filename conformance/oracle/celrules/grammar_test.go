package celrules_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// shape is a generated schema node together with the CEL type of its values.
type shape struct {
	cel    string // string, int, double, bool, dyn, timestamp, duration, bytes, list, map, object
	schema map[string]any
	fields map[string]*shape
	names  []string
	elem   *shape
	keys   []string // of a list-map
	kind   string   // list type
}

// generator generates schemas, rules and objects.
type generator struct {
	*rand.Rand
	fresh int
}

func pick[T any](g *generator, from ...T) T { return from[g.IntN(len(from))] }

func (g *generator) chance(percent int) bool { return g.IntN(100) < percent }

var fieldNames = []string{
	"a",
	"b",
	"c",
	"name",
	"type",
	"namespace",
	"x-y",
	"a.b",
	"in",
	"d__e",
	"size",
}

func (g *generator) scalar() *shape {
	s := &shape{schema: map[string]any{}}
	switch g.IntN(10) {
	case 0, 1, 2:
		s.cel, s.schema["type"] = "string", "string"
		if g.chance(30) {
			s.schema["enum"] = []any{"a", "b", "abc", ""}
		} else if g.chance(70) {
			s.schema["maxLength"] = pick(g, 1, 5, 20, 63)
		}
	case 3, 4:
		s.cel, s.schema["type"] = "int", "integer"
	case 5:
		s.cel, s.schema["type"] = "double", "number"
	case 6:
		s.cel, s.schema["type"] = "bool", "boolean"
	case 7:
		s.cel, s.schema["x-kubernetes-int-or-string"] = "dyn", true
		if g.chance(50) {
			s.schema["maxLength"] = 10
		}
	case 8:
		s.cel, s.schema["type"], s.schema["format"] = "timestamp", "string", pick(g, "date-time",
			"date")
	case 9:
		if g.chance(50) {
			s.cel, s.schema["type"], s.schema["format"] = "duration", "string", "duration"
		} else {
			s.cel, s.schema["type"], s.schema["format"] = "bytes", "string", "byte"
		}
	}
	if g.chance(15) {
		s.schema["nullable"] = true
	}
	return s
}

func (g *generator) shape(depth int) *shape {
	if depth == 0 || g.chance(40) {
		return g.scalar()
	}
	switch g.IntN(5) {
	case 0, 1:
		return g.list(depth)
	case 2:
		s := &shape{cel: "map", elem: g.shape(depth - 1)}
		s.schema = map[string]any{"type": "object", "additionalProperties": s.elem.schema}
		if g.chance(60) {
			s.schema["maxProperties"] = pick(g, 1, 3, 10)
		}
		return s
	default:
		return g.object(depth)
	}
}

func (g *generator) list(depth int) *shape {
	s := &shape{cel: "list", schema: map[string]any{"type": "array"}}
	switch g.IntN(4) {
	case 0:
		s.kind, s.elem = "set", g.scalar()
	case 1:
		s.kind, s.elem, s.keys = "map", g.object(0), []string{"k"}
		s.elem.add("k",
			&shape{cel: "string", schema: map[string]any{"type": "string", "maxLength": 5}})
		if g.chance(30) {
			s.keys = append(s.keys, "l")
			s.elem.add("l", &shape{cel: "int", schema: map[string]any{"type": "integer"}})
		}
		s.schema["x-kubernetes-list-map-keys"] = s.keys
		s.elem.schema["required"] = s.keys
	default:
		s.elem = g.shape(depth - 1)
	}
	if s.kind != "" {
		s.schema["x-kubernetes-list-type"] = s.kind
	}
	s.schema["items"] = s.elem.schema
	if g.chance(70) {
		s.schema["maxItems"] = pick(g, 1, 4, 10)
	}
	return s
}

func (s *shape) add(name string, field *shape) {
	if _, ok := s.fields[name]; !ok {
		s.names = append(s.names, name)
	}
	s.fields[name] = field
	s.schema["properties"].(map[string]any)[name] = field.schema
}

func (g *generator) object(depth int) *shape {
	s := &shape{
		cel:    "object",
		fields: map[string]*shape{},
		schema: map[string]any{"type": "object", "properties": map[string]any{}},
	}
	for range 1 + g.IntN(4) {
		s.add(pick(g, fieldNames...), g.shape(max(depth-1, 0)))
	}
	if g.chance(10) {
		s.schema["x-kubernetes-preserve-unknown-fields"] = true
	}
	return s
}

func escaped(name string) string {
	switch name {
	case "namespace", "in":
		return "__" + name + "__"
	}
	return strings.NewReplacer("__", "__underscores__", "-", "__dash__", ".", "__dot__").
		Replace(name)
}

// place is an expression with the shape of its value.
type place struct {
	text  string
	shape *shape
}

// reach goes several steps down from a place.
func (g *generator) reach(p place) place {
	for g.chance(75) {
		switch p.shape.cel {
		case "object":
			name := pick(g, p.shape.names...)
			p = place{p.text + "." + escaped(name), p.shape.fields[name]}
		case "list":
			p = place{fmt.Sprintf("%s[%d]", p.text, g.IntN(3)), p.shape.elem}
		case "map":
			p = place{fmt.Sprintf("%s['%s']", p.text, pick(g, "a", "b", "k")), p.shape.elem}
		default:
			return p
		}
	}
	return p
}

// any returns a place below one of those in scope.
func (g *generator) any(scope []place) place { return g.reach(scope[g.IntN(len(scope))]) }

// of returns a place of one of the types, or false.
func (g *generator) of(scope []place, types ...string) (place, bool) {
	for range 12 {
		p := g.any(scope)
		for _, t := range types {
			if p.shape.cel == t {
				return p, true
			}
		}
	}
	return place{}, false
}

// boolean returns an expression of type bool.
func (g *generator) boolean(scope []place, depth int) string {
	if depth > 0 && g.chance(55) {
		a, b := g.boolean(scope, depth-1), g.boolean(scope, depth-1)
		switch g.IntN(6) {
		case 0, 1:
			return a + " && " + b
		case 2, 3:
			return "(" + a + " || " + b + ")"
		case 4:
			return "!(" + a + ")"
		default:
			return "(" + a + " ? " + b + " : " + g.boolean(scope, depth-1) + ")"
		}
	}
	if depth > 0 && g.chance(40) {
		return g.loop(scope, depth)
	}
	return g.test(scope)
}

// presence tests a field, mostly before it is used.
func (g *generator) presence(p place) string {
	at := strings.LastIndexByte(p.text, '.')
	if at < 0 || strings.HasSuffix(p.text, "]") {
		return "true"
	}
	return "has(" + p.text + ")"
}

func (g *generator) test(scope []place) string {
	p := g.any(scope)
	guard := ""
	if g.chance(50) {
		guard = g.presence(p) + " && "
	}
	switch p.shape.cel {
	case "string":
		return guard + g.stringTest(p.text, scope)
	case "int":
		other := fmt.Sprint(g.IntN(5))
		if q, ok := g.of(scope, "int"); ok && g.chance(50) {
			other = q.text + pick(g, "", " + 1", " * 2", " % 3", " / 0")
		}
		return guard + p.text + pick(g, " == ", " != ", " < ", " <= ", " > ", " >= ") + other
	case "double":
		return guard + p.text + pick(g, " == 1.5", " < 2", " > 0.0", " <= double(1)")
	case "bool":
		return guard + p.text
	case "dyn":
		return guard + pick(g, "type("+p.text+") == int", p.text+" == 1", p.text+" == '10%'",
			"int("+p.text+") > 2",
			"(type("+p.text+") == string ? "+p.text+".endsWith('%') : "+p.text+" > 1)",
			p.text+" + 1 > 2")
	case "timestamp":
		return guard + pick(g, p.text+" < timestamp('2030-01-01T00:00:00Z')",
			p.text+".getFullYear() > 2000", p.text+" == "+p.text)
	case "duration":
		return guard + pick(g, p.text+" < duration('1h')", p.text+".getSeconds() > 5")
	case "bytes":
		return guard + pick(g, "size("+p.text+") > 2", p.text+" == b'abc'",
			"string("+p.text+") == 'a'")
	case "list":
		return guard + g.listTest(p, scope)
	case "map":
		return guard + pick(g, "size("+p.text+") < 3", "'a' in "+p.text, p.text+" == "+p.text,
			"has("+p.text+".b)", p.text+".size() > 0")
	}
	return guard + pick(g, p.text+" == "+p.text, p.text+" != "+p.text)
}

func (g *generator) stringTest(text string, scope []place) string {
	other := pick(g, "'a'", "'abc'", "''", "'xyz'")
	if q, ok := g.of(scope, "string"); ok && g.chance(40) {
		other = q.text
	}
	return pick(g, text+" == "+other, text+" != "+other, text+".startsWith("+other+")",
		text+".endsWith("+other+")", text+".contains("+other+")", text+".matches('^[a-z]+$')",
		"size("+text+") < 4", text+".size() == 3", text+" in ['a', 'b', 'c']",
		text+" + "+other+" == 'aa'", text+" < "+other, text+".lowerAscii() == "+other,
		text+".split('.').size() == 1", text+".find('[a-c]') != ''", text+".indexOf('b') > 0",
		"quantity("+text+").isInteger()", "isURL("+text+")",
		"format.dns1123Label().validate("+text+").hasValue()", text+".trim() == ''",
		text+".replace('a', 'b') != "+other, "string(int("+text+")) == "+text,
		"ip("+text+").family() == 4", text+".substring(1) == "+other)
}

func (g *generator) listTest(p place, scope []place) string {
	tests := []string{
		"size(" + p.text + ") < 3", p.text + ".size() > 0", p.text + " == " + p.text, p.text + " + " + p.text + " == " + p.text,
		p.text + ".exists(e, e == e)",
	}
	switch p.shape.elem.cel {
	case "string":
		tests = append(tests, "'a' in "+p.text, p.text+".exists_one(s, s == 'a')",
			p.text+".map(s, s.size()).sum() < 5", p.text+".join(',') != ''",
			p.text+".filter(s, s.startsWith('a')).size() < 2", p.text+" == ['a', 'b']",
			p.text+".isSorted()", "sets.contains("+p.text+", ['a'])")
	case "int":
		tests = append(tests, "1 in "+p.text, p.text+".sum() < 10", p.text+".max() < 5",
			p.text+".all(i, i < 3)", p.text+".isSorted()")
	}
	if q, ok := g.of(scope, "list"); ok && q.shape == p.shape {
		tests = append(tests, p.text+" == "+q.text, p.text+" + "+q.text+" == "+q.text)
	}
	return pick(g, tests...)
}

// loop returns a comprehension over a list or map.
func (g *generator) loop(scope []place, depth int) string {
	p, ok := g.of(scope, "list", "map")
	if !ok {
		return g.test(scope)
	}
	g.fresh++
	name := fmt.Sprintf("v%d", g.fresh)
	item := place{name, p.shape.elem}
	if p.shape.cel == "map" {
		item.shape = &shape{cel: "string"}
	}
	inner := append(append([]place{}, scope...), item, item)
	body := g.boolean(inner, depth-1)
	switch g.IntN(9) {
	case 0, 1, 2:
		return fmt.Sprintf("%s.all(%s, %s)", p.text, name, body)
	case 3, 4:
		return fmt.Sprintf("%s.exists(%s, %s)", p.text, name, body)
	case 5:
		return fmt.Sprintf("%s.exists_one(%s, %s)", p.text, name, body)
	case 6:
		return fmt.Sprintf("%s.filter(%s, %s).size() < 2", p.text, name, body)
	case 7:
		return fmt.Sprintf("%s.map(%s, %s, %s).size() < 2", p.text, name, body, name)
	}
	if p.shape.cel == "list" {
		return fmt.Sprintf("%s.all(i%s, %s, i%s < 5 && (%s))", p.text, name, name, name, body)
	}
	return fmt.Sprintf("%s.map(%s, %s).exists(t, t)", p.text, name, body)
}
