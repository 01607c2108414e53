package objectgen

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/structural"
)

func schemaOf(t *testing.T, text string) *structural.Schema {
	t.Helper()
	s, err := structural.Parse([]byte("---\n" + text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func objectOf(t *testing.T, text string) map[string]any {
	t.Helper()
	object, _, err := jsonvalue.DecodeObject([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return object
}

func randomly() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }

// A path leads through members, keys and items to a value that is not null.
func TestPathIn(t *testing.T) {
	v := objectOf(t, `{"a": {"b": null, "c": [{}, {"d": 1}]}, "e": [], "f": {"g": {"h": 0}}}`)
	for path, want := range map[string]bool{
		"": true, ".a": true, ".a .b": false, ".a .c": true, ".a .c []": true, ".a .c [] .d": true,
		".a .c [] .e": false, ".e": true, ".e []": false, ".f {}": true, ".f {} .h": true,
		".f {} .i": false, ".z": false, "{} .c": true,
		".f .g .h .i": false,
	} {
		if got := NodePath(strings.Fields(path)).In(v); got != want {
			t.Errorf("%s: %t", path, got)
		}
	}
	if NodePath(nil).In(nil) {
		t.Error("null is there")
	}
	path := NodePath{".a"}.To(".b")
	if one, two := path.To(".c"), path.To(".d"); one[2] != ".c" || two[2] != ".d" {
		t.Errorf("%v %v", one, two)
	}
}

// Nodes with branches answer for all of them, and parts of a root hide the
// status or the rest.
func TestNodes(t *testing.T) {
	root := schemaOf(t, `
type: object
required: [a, status]
properties: {a: {type: string}, status: {type: object}}
x-kubernetes-preserve-unknown-fields: true
`)
	for _, c := range []struct {
		n                   Node
		names, required     string
		has                 map[string]bool
		branches, preserves bool
	}{
		{n: PartOf(root, Whole), names: "a status", required: "a status",
			has: map[string]bool{"a": true, "status": true, "b": false}},
		{n: PartOf(root, WithoutStatus), names: "a", required: "a status",
			has: map[string]bool{"a": true, "status": false}},
		{n: PartOf(root, StatusOnly), names: "status", has: map[string]bool{"a": false, "status": true}},
		{n: PartOf(schemaOf(t, "{type: object, x-kubernetes-preserve-unknown-fields: true}"),
			StatusOnly), names: "status", has: map[string]bool{"a": false, "status": true}},
		{n: PartOf(schemaOf(t, "{type: object}"), StatusOnly), has: map[string]bool{"status": false}},
		{n: Node{schema: root, branches: []*structural.Schema{schemaOf(t,
			"{required: [c], properties: {a: {minLength: 2}, b: {}}}")}}, names: "a b status",
			required: "a status c", has: map[string]bool{"a": true, "b": true, "c": false}},
		{n: Node{}, has: map[string]bool{"a": false}},
	} {
		if got := strings.Join(c.n.PropertyNames(), " "); got != c.names {
			t.Errorf("names %s, want %s", got, c.names)
		}
		if got := strings.Join(c.n.required(), " "); got != c.required {
			t.Errorf("%s: required %s, want %s", c.names, got, c.required)
		}
		for name, want := range c.has {
			if _, has := c.n.Property(name); has != want {
				t.Errorf("%s: has %s: %t", c.names, name, has)
			}
		}
	}
}

// Of several limits the strictest counts, and large ones are cut off.
func TestLimits(t *testing.T) {
	one, two := schemaOf(t, "{type: string, minLength: 2, maxLength: 9, minItems: -3, "+
		"enum: [a, b, c], "+
		"maxItems: 99999999999}"), schemaOf(t, "{minLength: 4, maxLength: 7, pattern: p, "+
		"enum: [c, b], default: d, format: f}")
	three := schemaOf(t, "{minLength: 3, maxLength: 8, enum: [z], x-kubernetes-list-map-keys: [k]}")
	n := Node{schema: one, branches: []*structural.Schema{two, three}}
	for _, c := range []struct {
		name  string
		get   func(limit) (int, bool)
		of    limit
		count int
		ok    bool
	}{
		{"minLength", n.atLeast, minLength, 4, true}, {"maxLength", n.atMost, maxLength, 7, true},
		{"minItems", n.atLeast, minItems, 0, true}, {"maxItems", n.atMost, maxItems, maxCount, true},
		{"minProperties", n.atLeast, minProperties, 0, false},
		{"maxProperties", n.atMost, maxProperties, 0, false},
	} {
		if count, ok := c.get(c.of); count != c.count || ok != c.ok {
			t.Errorf("%s: %d, %t", c.name, count, ok)
		}
	}
	got := fmt.Sprint(n.typ(), n.pattern(), n.format(), n.Default(), n.listMapKeys(), n.enum(),
		(&Maker{}).enum(n), Node{}.enum(), Node{}.Default())
	if want := "stringpfd[k][b c][b c][]<nil>"; strings.ReplaceAll(got, " ", "") !=
		strings.ReplaceAll(want, " ", "") {
		t.Errorf("%s, want %s", got, want)
	}
}

// A value ends with its budget.
func TestBudget(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		name           string
		m              Maker
		spent, reached bool
	}{
		{"nothing", Maker{}, false, false},
		{"all", Maker{values: TooManyValues, bytes: MaxBytes, steps: maxSteps}, false, false},
		{"values", Maker{values: TooManyValues + 1}, true, true},
		{"bytes", Maker{bytes: MaxBytes + 1}, true, true},
		{"steps", Maker{steps: maxSteps + 1}, true, true},
		{"context", Maker{Context: ended}, true, false},
		{"no context", Maker{Context: t.Context()}, false, false},
	} {
		if spent := c.m.isSpent(); spent != c.spent || c.m.Reached != c.reached {
			t.Errorf("%s: %t, %t", c.name, spent, c.m.Reached)
		}
		if c.m.start(); c.m.values+c.m.bytes+c.m.steps != 0 {
			t.Errorf("%s: %+v after the start", c.name, c.m)
		}
	}
	m := &Maker{}
	v := objectOf(t, `{"ab": ["cde", 1, {"f": "g"}], "h": null}`)
	if m.charged(v); m.values != 6 || m.bytes != 2+3+1+1+1 {
		t.Errorf("%d values, %d bytes", m.values, m.bytes)
	}
	for _, c := range []struct {
		bytes, times, want int
		letter             string
		reached            bool
	}{
		{0, 3, 3, "a", false}, {MaxBytes - 3, 3, 3, "a", false}, {MaxBytes - 3, 4, 3, "a", true},
		{MaxBytes + 9, 1, 0, "a", true}, {MaxBytes - 5, 3, 2, "é", true},
		{0, maxString, maxString, "a", false}, {0, maxString + 1, maxString, "a", true},
	} {
		m := &Maker{bytes: c.bytes}
		if got := m.repeated(c.letter, c.times); got != strings.Repeat(c.letter, c.want) ||
			m.Reached != c.reached {
			t.Errorf("%d of %s after %d bytes: %d, %t", c.times, c.letter, c.bytes, len(got),
				m.Reached)
		}
	}
}

// Enums and patterns are kept, and a bounded number of each.
func TestKept(t *testing.T) {
	m := &Maker{}
	first := m.compiled("a")
	if m.compiled("(") != nil || m.compiled("a") != first || len(m.patterns) != 2 {
		t.Errorf("%v", m.patterns)
	}
	for i := range 3 * maxKept {
		m.compiled(fmt.Sprint("a", i))
		if len(m.patterns) > maxKept {
			t.Errorf("%d patterns", len(m.patterns))
		}
		enums := [2][]any{{int64(i), "x"}, {"x", "y"}}
		if both := m.common(enums[0], enums[1]); len(both) != 1 || both[0] != "x" {
			t.Errorf("%v", both)
		}
		steps := m.steps
		if m.common(enums[0], enums[1]); m.steps != steps || steps != 4*(i+1) {
			t.Errorf("%d steps, then %d", steps, m.steps)
		}
		if len(m.enums) > maxKept {
			t.Errorf("%d enums", len(m.enums))
		}
	}
}

const brokenSchema = `
type: object
required: [name, given, kind]
x-kubernetes-validations: [{rule: self.count == 1}, {rule: self == oldSelf}]
properties:
  name: {type: string, minLength: 2, maxLength: 3}
  given: {type: string, default: a}
  kind: {type: string}
  count: {type: integer, minimum: 1, maximum: 5, exclusiveMaximum: true, multipleOf: 2, format: int32}
  set: {type: array, x-kubernetes-list-type: set, minItems: 1, maxItems: 2, items: {type: string}}
  map: {type: object, maxProperties: 2, minProperties: 1, additionalProperties: {type: integer, enum: [1]}}
  any: {x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]}
  one: {type: string, oneOf: [{pattern: a}, {pattern: b}], not: {pattern: c}, nullable: true}
  embedded: {type: object, x-kubernetes-embedded-resource: true, properties: {a: {type: boolean}}}
  nulls: {type: array, items: {type: object, nullable: true}}
`

// The sites of an object and the places of its schema are where keywords can be
// broken.
func TestSitesAndPlaces(t *testing.T) {
	root := NodeOf(schemaOf(t, brokenSchema))
	const text = `{"name":"abc","given":"b","kind":"K","count":2,"set":["x"],"map":{"k":1},"any":3,
		"one":"a","embedded":{"apiVersion":"v1","kind":"E","a":true},"nulls":[{}, null]}`
	m := &Maker{Rand: randomly()}
	var got []string
	for _, site := range m.Sites(root, objectOf(t, text), OnCreate) {
		line := strings.TrimSpace(site.Path() + " " + site.Keyword)
		if site.IsSearched {
			line += " searched " + site.Rule.Rule
		}
		got = append(got, strings.TrimSpace(line))
	}
	want := []string{
		"x-kubernetes-validations searched self.count == 1", "name required",
		"any anyOf searched", "any x-kubernetes-int-or-string",
		"count minimum", "count maximum", "count exclusiveMaximum", "count multipleOf",
		"count format", "count type",
		"embedded.apiVersion x-kubernetes-embedded-resource",
		"embedded.kind x-kubernetes-embedded-resource", "embedded.a type", "embedded type",
		"given type", "map maxProperties", "map minProperties", "map.k enum", "map type",
		"name minLength", "name maxLength", "name type", "nulls[0] type", "nulls type",
		"one oneOf searched", "one not searched", "one type",
		"set maxItems", "set minItems", "set[1] x-kubernetes-list-type", "set[0] type",
		"set[0] nullable", "set type",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("sites (-want +got):\n%s", diff)
	}
	for event, rules := range map[Event][]string{
		OnCreate: {"self.count == 1"}, OnUpdate: {"self == oldSelf", "self.count == 1"},
	} {
		places := NewPlaces(root, event)
		if diff := cmp.Diff([]string{"anyOf", "enum", "exclusiveMaximum", "format", "maxItems",
			"maxLength", "maxProperties", "maximum", "minItems", "minLength", "minProperties",
			"minimum", "multipleOf", "not", "nullable", "oneOf", "required", "type",
			embeddedKeyword, "x-kubernetes-int-or-string", "x-kubernetes-list-type", Rules},
			places.Keywords); diff != "" {
			t.Errorf("keywords (-want +got):\n%s", diff)
		}
		targets := map[string]bool{}
		for range 200 {
			some := strings.Fields(Rules + " maxItems nullable enum required none")
			for _, keyword := range some {
				if target, ok := places.Target(m.Rand, keyword); ok {
					targets[fmt.Sprint(keyword, target.Rule, []string(target.Path))] = true
				} else if keyword != "none" {
					t.Errorf("%s has no place", keyword)
				}
			}
		}
		for _, place := range []string{"maxItems[.set []]", "nullable[.set []]", "enum[.map {}]",
			"required[]"} {
			if !targets[place] {
				t.Errorf("%s is no target: %v", place, targets)
			}
		}
		if len(targets) != 4+len(rules) {
			t.Errorf("targets %v", targets)
		}
		for _, rule := range rules {
			if !targets[Rules+rule+"[]"] {
				t.Errorf("%s is no target", rule)
			}
		}
	}
}

// What a value becomes when a keyword is broken.
func TestBreaks(t *testing.T) {
	root := NodeOf(schemaOf(t, brokenSchema))
	for at, want := range map[string]string{
		"name minLength": `{"name":"x"}`, "name maxLength": `{"name":"xxxx"}`, "name required": `{}`,
		"count minimum": `{"count":0}`, "count maximum": `{"count":6}`,
		"count exclusiveMaximum": `{"count":5}`, "count multipleOf": `{"count":3}`,
		"count format": `{"count":2147483648}`,
		"set maxItems": `{"set":["x","x","x"]}`, "set minItems": `{"set":[]}`,
		"set[1] x-kubernetes-list-type": `{"set":["x","x"]}`, "set[0] nullable": `{"set":[null]}`,
		"map maxProperties": `{"map":{"k":1,"k0":1,"k1":1}}`, "map minProperties": `{"map":{}}`,
		"map.k enum": `{"map":{"k":987654}}`,
		"embedded.kind x-kubernetes-embedded-resource": `{"embedded":{"apiVersion":"v1"}}`,
	} {
		name, _, _ := strings.Cut(at, " ")
		name = name[:strings.IndexAny(name+".", ".[")]
		values := map[string]string{"name": `"abc"`, "count": `2`, "set": `["x"]`, "map": `{"k":1}`,
			"embedded": `{"apiVersion":"v1","kind":"E"}`}
		object := objectOf(t, `{"`+name+`":`+values[name]+`}`)
		m := &Maker{Rand: randomly()}
		sites := m.Sites(root, object, OnCreate)
		i := slices.IndexFunc(sites, func(s Site) bool { return s.Path()+" "+s.Keyword == at })
		if i < 0 {
			t.Errorf("%s: no site", at)
			continue
		}
		sites[i].Break(m.Rand)
		text, err := jsonvalue.EncodeJSON(object)
		if err != nil || string(text) != want {
			t.Errorf("%s: %s, want %s (%v)", at, text, want, err)
		}
	}
	for typ, isWrong := range map[string]func(v any) bool{
		"string":  func(v any) bool { _, ok := v.(string); return !ok },
		"array":   func(v any) bool { _, ok := v.([]any); return !ok },
		"integer": func(v any) bool { _, ok := v.(int64); return !ok },
		"object":  func(v any) bool { _, ok := v.(map[string]any); return !ok },
		"boolean": func(v any) bool { _, ok := v.(bool); return !ok },
	} {
		r, seen := randomly(), map[string]bool{}
		for range 50 {
			v := ofOtherType(r, typ)
			if seen[typeOf(v)] = true; !isWrong(v) {
				t.Errorf("%v is no %s", v, typ)
			}
		}
		if len(seen) < 2 {
			t.Errorf("in place of %s: %v", typ, seen)
		}
	}
	for enum, want := range map[string]any{
		"{type: string, enum: [a]}": "none of these", "{type: boolean, enum: [true]}": false,
		"{type: boolean, enum: [false]}": true, "{type: boolean, enum: [true, false]}": "none of these",
		"{type: integer, enum: [3]}": int64(987654), "{type: number, enum: [3]}": 98765.5,
		"{type: integer, enum: [987654]}": "none of these", "{type: object, enum: [{}]}": "none of these",
	} {
		n := NodeOf(schemaOf(t, enum))
		if got := outside(n, n.enum()); got != want {
			t.Errorf("%s: %v, want %v", enum, got, want)
		}
	}
}

// Errors are about the path in their field or, at the root, in their text.
func TestErrors(t *testing.T) {
	for _, c := range []struct{ field, detail, want string }{
		{"a.b", `"c" d`, "a.b"}, {"", `"c.d" must validate`, "c.d"}, {"<nil>", `".c" d`, "c"},
		{"", "value must be of type int32 in .a.b", "a.b"}, {"", "value must be of type x", ""},
		{"<nil>", "something in a", ""}, {"", `"c`, ""}, {"", "", ""},
	} {
		if got := ErrorPath(&field.Error{Field: c.field, Detail: c.detail}); got != c.want {
			t.Errorf("%q %q: %q", c.field, c.detail, got)
		}
	}
	for _, c := range []struct {
		keyword string
		value   any
		want    field.ErrorType
	}{
		{"format", "x", field.ErrorTypeTypeInvalid}, {"format", int64(1), field.ErrorTypeInvalid},
		{"type", int64(1), field.ErrorTypeTypeInvalid}, {"minimum", int64(1), field.ErrorTypeInvalid},
		{"required", nil, field.ErrorTypeRequired}, {"maxItems", nil, field.ErrorTypeTooMany},
	} {
		if got := ErrorType(c.keyword, c.value); got != c.want {
			t.Errorf("%s %v: %s", c.keyword, c.value, got)
		}
	}
}

// Components of texts are replaced, and texts near to others are higher or
// lower.
func TestInverse(t *testing.T) {
	for _, c := range []struct {
		of, text string
		value    any
		want     string
	}{
		{"major", "1.2.3", int64(7), "7.2.3"}, {"minor", "1.2.3", 7.0, "1.7.3"},
		{"patch", "no version", int64(7), "1.2.7"}, {"prefixLength", "10.0.0.0/8", int64(9), "10.0.0.0/9"},
		{"getScheme", "https://a.io/b", "ftp", "ftp://a.io/b"}, {"getHours", "5m", int64(2), "2h"},
		{"getHost", "https://a.io/b", "c", "https://c/b"}, {"getPort", "x", int64(9), "https://example.com:9/a"},
		{"getMonth", "2020-05-06T00:00:00Z", int64(0), "2020-01-06T00:00:00Z"},
		{"getDate", "2020-05-06T00:00:00Z", int64(7), "2020-05-07T00:00:00Z"},
		{"getDayOfMonth", "2020-05-06T00:00:00Z", int64(7), "2020-05-08T00:00:00Z"},
		{"getFullYear", "2020-05-06T00:00:00Z", int64(33), "0033-05-06T00:00:00Z"},
		{"asApproximateFloat", "3", 1.5, "1.5"},
	} {
		of := components[c.of]
		if got := of.with(c.text, c.value); got != c.want {
			t.Errorf("%s of %s: %s, want %s", c.of, c.text, got, c.want)
		}
	}
	for _, c := range []struct{ function, text, want string }{
		{"duration", "1h", "1h 1h0m1s 59m59s 2h0m0s 30m0s 2h0m0s 1h0m0.001s"}, {"duration", "x", "x"},
		{"timestamp", "2020-01-02T00:00:00Z", "2020-01-02T00:00:00Z 2020-01-02T00:00:01Z " +
			"2020-01-01T23:59:59Z 2020-01-02T01:00:00Z 2020-01-01T23:00:00Z 2020-01-04T00:00:00Z " +
			"2019-12-31T00:00:00Z"}, {"timestamp", "1", "1"},
		{"quantity", "0Gi", "0Gi 1Gi -1Gi 0Gi 0.5Gi 0Gi"}, {"int", "a0", "a0 a1 a0"},
		{"int", strings.Repeat("9", 400), strings.Repeat("9", 400)},
		{"semver", "0.1", "0.1 1.1 0.2"},
	} {
		if got := strings.Join(nearTo(c.function, c.text), " "); got != c.want {
			t.Errorf("%s %s: %s, want %s", c.function, c.text, got, c.want)
		}
	}
	for pattern, want := range map[string]string{
		"a": anything + "(?:a)" + anything, "^a$": "(?:a)", "^a": "(?:a)" + anything,
		"a$": anything + "(?:a)", `a\$`: anything + `(?:a\$)` + anything,
		"^a|b$": anything + "(?:^a|b$)" + anything, "$": anything + "(?:)",
	} {
		if got := searched(pattern); got != want {
			t.Errorf("%s: %s, want %s", pattern, got, want)
		}
	}
}

// An object gets the node that a path leads to, through what it has.
func TestExtend(t *testing.T) {
	n := NodeOf(schemaOf(t, `{type: object, properties: {a: {type: object, properties: {b: {type: object,
		properties: {c: {type: array, items: {type: string}}}}, d: {type: string}}}}}`))
	for _, c := range []struct {
		object, path string
		want         bool
	}{
		{`{}`, ".a .b .c []", true}, {`{"a":{"d":"x"}}`, ".a .b .c []", true},
		{`{"a":{"b":{"c":[]},"d":"x"}}`, ".a .b .c []", true}, {`{"a":{"d":"x"}}`, ".a .e", false},
		{`{"a":{"d":"x"}}`, "[] .a", false}, {`{"a":{"d":"x"}}`, ".z", false},
	} {
		object, path := objectOf(t, c.object), NodePath(strings.Fields(c.path))
		(&Maker{Rand: randomly(), values: TooManyValues + 1}).Extend(n, object, path)
		if path.In(object) != c.want {
			t.Errorf("%s, %s: %v", c.object, c.path, object)
		}
		if c.object != "{}" && jsonvalue.At(object, "a", "d") != "x" {
			t.Errorf("%s, %s: what was there is gone: %v", c.object, c.path, object)
		}
	}
}
